package io.baton.zookeeper.inspect;

import io.baton.spi.inspect.ClockReading;
import io.baton.zookeeper.inspect.InspectorHandle.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Creates, writes and deletes a container with a node in it, as lines have them, in one transaction. The transaction
 * leaves nothing. It is refused as a whole if this client may not do a part of it.
 *
 * @param code the transaction's result
 * @param failedAt the index of the refused operation; -1 if none was
 * @param clock a reading of the leader's clock, if the transaction was applied
 */
record WriteTrial(Code code, int failedAt, Optional<ClockReading> clock) {

    private static final byte[] EMPTY = {};
    private static final int WRITE = 2;

    /** Tries the transaction below this node. */
    static WriteTrial below(String parent, List<ACL> acl, InspectorHandle handle) throws InterruptedException {
        String path = (parent.equals("/") ? "" : parent) + "/baton-doctor-" + UUID.randomUUID();
        String child = path + "/child";
        List<Op> ops = List.of(
                Op.create(path, EMPTY, acl, CreateMode.CONTAINER),
                Op.create(child, EMPTY, acl, CreateMode.EPHEMERAL),
                Op.setData(child, EMPTY, -1),
                Op.delete(child, -1),
                Op.delete(path, -1));
        long before = System.currentTimeMillis();
        Answer<List<OpResult>> answer = handle.await(handle.multi(ops));
        long after = System.currentTimeMillis();
        Optional<ClockReading> clock =
                answer.code() == Code.OK ? clock(answer.value(), before, after) : Optional.empty();
        return new WriteTrial(answer.code(), failedAt(answer.value()), clock);
    }

    /** Whether the servers have no container nodes. Old ones cannot even read a transaction with such an operation. */
    boolean tooNew() {
        return code == Code.UNIMPLEMENTED || code == Code.MARSHALLINGERROR;
    }

    /** Returns the refused operation in one word. */
    String refused() {
        return failedAt < 2 ? "create" : failedAt == WRITE ? "write" : "delete";
    }

    private static Optional<ClockReading> clock(@Nullable List<OpResult> results, long before, long after) {
        if (results == null || !(results.get(WRITE) instanceof SetDataResult written)) {
            return Optional.empty();
        }
        long shown = written.getStat().getMtime();
        return Optional.of(new ClockReading(
                "the leader",
                Duration.ofMillis(shown - (before + after) / 2),
                Duration.ofMillis((after - before + 1) / 2 + 1)));
    }

    private static int failedAt(@Nullable List<OpResult> results) {
        if (results != null) {
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof ErrorResult error && error.getErr() != Code.OK.intValue()) {
                    return i;
                }
            }
        }
        return -1;
    }
}
