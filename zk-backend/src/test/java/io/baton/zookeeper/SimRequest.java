package io.baton.zookeeper;

import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** What a client asks of a simulated server. */
sealed interface SimRequest {

    /** Answered by the server that the client is connected to, from what it has. */
    sealed interface Local extends SimRequest {}

    /** Decided by the leader, and applied by every server in the leader's order. */
    sealed interface Global extends SimRequest {}

    record Ping() implements Local {}

    record Read(String path, boolean watch) implements Local {}

    record Children(String path) implements Local {}

    record Follow(String path) implements Local {}

    record Unwatch(String path) implements Local {}

    /** Sent by the client library after reconnecting: its watches, and the newest transaction it has heard of. */
    record SetWatches(List<String> data, List<String> recursive, long seenZxid) implements Local {}

    record Create(String path, byte[] data, CreateMode mode) implements Global {}

    record Multi(List<ZkOp> ops) implements Global {}

    record CloseSession() implements Global {}

    /** An answer; {@code failedAt} is the index of the failed part of a multi, or -1. */
    record Answer(Code code, @Nullable Object value, int failedAt, long zxid) {

        static Answer ok(@Nullable Object value) {
            return new Answer(Code.OK, value, -1, 0);
        }

        static Answer of(Code code) {
            return new Answer(code, null, -1, 0);
        }

        static Answer failed(Code code, int at) {
            return new Answer(code, null, at, 0);
        }

        Answer at(long newZxid) {
            return new Answer(code, value, failedAt, newZxid);
        }
    }
}
