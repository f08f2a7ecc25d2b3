package io.baton.zookeeper.wire;

import io.baton.CoordinationException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * One ZooKeeper session's handle: single requests, no retries.
 *
 * <p>Every reply and event arrives on the session's loop, in the one order in which the client library delivered them.
 * Requests of one connection are answered in the order in which they were sent. A change's event comes after the
 * answers from before the change, and before the answers from after it.
 *
 * <p>A request in flight or queued when the connection breaks is answered {@code CONNECTIONLOSS}, before
 * {@link Events#disconnected()}. It may have been applied. A request made while disconnected is sent after the next
 * {@link Events#connected}, or is answered {@code CONNECTIONLOSS}. Each request is answered exactly once, until the
 * wire is closed.
 */
public interface ZkWire {

    /** Creates a node; the reply holds its full path and stat. */
    void create(String path, byte[] data, CreateMode mode, Reply<Node> reply);

    /** Lists the names of the children. */
    void children(String path, Reply<List<String>> reply);

    /** Reads a node. */
    void read(String path, Reply<Node> reply);

    /**
     * Reads a node and, if it exists, watches it once: {@link Events#changed} reports its next change. The watch
     * survives reconnecting, which reports a deletion in between.
     */
    void watch(String path, Reply<Node> reply);

    /** Removes all watches on the path, in the client and on the server. */
    void unwatch(String path, Reply<Void> reply);

    /** Watches a node and all nodes below it until {@link #unwatch}. Changes while disconnected are not reported. */
    void follow(String path, Reply<Void> reply);

    /** Deletes a node of any version. */
    void delete(String path, Reply<Void> reply);

    /** Applies all operations or none; either way through the leader and a quorum. */
    void multi(List<ZkOp> ops, MultiReply reply);

    /**
     * Checks whether a node has another ACL than this client's nodes. The reply describes the difference; null if there
     * is none. Neither sent nor answered if ACLs are not checked.
     */
    void foreignAcl(String path, Reply<String> difference);

    /** The maximum size of an answer in bytes. A longer one breaks the connection. */
    default int maxAnswer() {
        return ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT;
    }

    /**
     * Ends the session if the server can be reached, and stops its threads. {@code done} is called on the loop: true if
     * the server has confirmed the end.
     */
    void close(Consumer<Boolean> done);

    /**
     * Leaves a session that others continue to use. Removes every node whose path has one of these beginnings, even if
     * its creation is still in flight, and all watches of this wire. {@code done} is called on the loop: true if the
     * nodes are certainly gone. Without contact, it is called after a reconnect.
     */
    void leave(List<String> beginnings, Consumer<Boolean> done);

    /** Makes wires. Calls {@code events} from then on, but never within {@code open}. */
    interface Factory {
        ZkWire open(Duration timeout, Events events);

        /**
         * Whether the session belongs to another program. It exists before and after the wire, with its own timeout.
         * The wire then ends with {@link ZkWire#leave}.
         */
        default boolean shared() {
            return false;
        }
    }

    /** Events of the handle. */
    interface Events {
        /** In contact, for the first time or again. {@code negotiated} is the granted session timeout. */
        void connected(long sessionId, Duration negotiated);

        /** Contact is lost. */
        void disconnected();

        /** Why there is no contact, at the first attempt or after a disconnect; empty if unknown. */
        void trouble(Optional<String> why);

        /** The session has expired. */
        void expired();

        /** The handle is unusable. The store may keep the session until its timeout. */
        void closed(CoordinationException why);

        /** A watched node was created, written or deleted. */
        void changed(String path, Change change);
    }

    /** What happened to a watched node. */
    enum Change {
        CREATED,
        WRITTEN,
        DELETED
    }

    /** An answer. The value is non-null if and only if the code is {@code OK} and the request has one. */
    interface Reply<T> {
        void accept(Code code, @Nullable T value);
    }

    /**
     * An answer to a multi; {@code failedAt} is the index of the operation that failed, or -1, and {@code zxid} the
     * transaction that wrote, or 0 if the answer does not say that: it does if a node was overwritten.
     */
    interface MultiReply {
        void accept(Code code, int failedAt, long zxid);
    }

    /**
     * A node as created or read.
     *
     * @param pzxid the transaction that last created or deleted a child, or that created the node
     * @param children the number of its children
     * @param made the number of children ever created in it, which is the next sequence number
     */
    record Node(
            String path,
            byte[] data,
            long czxid,
            long mzxid,
            long pzxid,
            int version,
            int children,
            int made,
            long owner) {

        /** A node whose children were never deleted. */
        public Node(
                String path, byte[] data, long czxid, long mzxid, long pzxid, int version, int children, long owner) {
            this(path, data, czxid, mzxid, pzxid, version, children, children, owner);
        }
    }

    /** A part of a multi. A version of -1 matches any. */
    sealed interface ZkOp {
        /** The path of its node. */
        String path();

        /** The size of its value in bytes. */
        default int size() {
            return 0;
        }

        record Check(String path, int version) implements ZkOp {}

        record Create(String path, byte[] data) implements ZkOp {
            @Override
            public int size() {
                return data.length;
            }
        }

        record Write(String path, byte[] data, int version) implements ZkOp {
            @Override
            public int size() {
                return data.length;
            }
        }

        record Delete(String path, int version) implements ZkOp {}
    }
}
