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
 * <p>Every reply and every event arrives on the session's loop, in the one order in which the client library delivered
 * them. Requests of one connection are answered in the order in which they were sent, and the event of a change comes
 * before the answers that are of the time after it, and behind those of the time before. A request that was under way, or
 * queued, when the connection broke is answered {@code CONNECTIONLOSS}, before {@link Events#disconnected()}; it may
 * have been applied. A request made while disconnected goes out after the next {@link Events#connected}, or is answered
 * {@code CONNECTIONLOSS}. Each request is answered exactly once, until the wire is closed.
 */
public interface ZkWire {

    /** Creates a node; the reply holds its full path and stat. */
    void create(String path, byte[] data, CreateMode mode, Reply<Node> reply);

    /** Lists the names of the children. */
    void children(String path, Reply<List<String>> reply);

    /** Reads a node. */
    void read(String path, Reply<Node> reply);

    /**
     * Reads a node and, if it exists, watches it once: {@link Events#changed} tells of its next change. The watch
     * survives reconnecting; a deletion in between is told on reconnecting.
     */
    void watch(String path, Reply<Node> reply);

    /** Drops all watches on the path, here and on the server. */
    void unwatch(String path, Reply<Void> reply);

    /** Watches a node and everything below it until {@link #unwatch}; what happens while disconnected is not told. */
    void follow(String path, Reply<Void> reply);

    /** Deletes a node of any version. */
    void delete(String path, Reply<Void> reply);

    /** Applies all, or none; either way through the leader and a quorum. */
    void multi(List<ZkOp> ops, MultiReply reply);

    /**
     * Asks whether a node has another ACL than we give ours: the reply then says how it differs. Neither sent nor
     * answered where it does not matter.
     */
    void foreignAcl(String path, Reply<String> difference);

    /** How many bytes an answer may have; a longer one breaks the connection. */
    default int maxAnswer() {
        return ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT;
    }

    /**
     * Ends the session if the server can be reached, and gives up its threads. {@code done} is told, on the loop, whether
     * the server has confirmed it.
     */
    void close(Consumer<Boolean> done);

    /**
     * Gives up a session that others go on using: every node whose path begins so is removed, also one whose creation is
     * still under way, and every watch of ours. {@code done} is told, on the loop, whether the nodes have certainly
     * gone; if there is no contact, once there is again.
     */
    void leave(List<String> beginnings, Consumer<Boolean> done);

    /** Makes wires; {@code events} are told from then on, never from within the call. */
    interface Factory {
        ZkWire open(Duration timeout, Events events);

        /**
         * Whether the session is somebody else's: it was there before the wire, with a timeout of its own, and goes on
         * after it. The wire then ends with {@link ZkWire#leave}.
         */
        default boolean shared() {
            return false;
        }
    }

    /** What the handle tells unasked. */
    interface Events {
        /** In contact, for the first time or again; the server has granted this session timeout. */
        void connected(long sessionId, Duration negotiated);

        /** Out of contact. */
        void disconnected();

        /** Out of contact, for the first time or again: why, for people, as far as it is known. */
        void trouble(Optional<String> why);

        /** The session is over. */
        void expired();

        /** The handle is of no more use; the store may still keep the session until its timeout. */
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

    /** An answer; the value is there if, and only if, the code is {@code OK} and the request has one. */
    interface Reply<T> {
        void accept(Code code, @Nullable T value);
    }

    /** An answer to a multi; {@code failedAt} is the index of the operation that failed, or -1. */
    interface MultiReply {
        void accept(Code code, int failedAt);
    }

    /**
     * A node as created or read.
     *
     * @param pzxid when a child was last created or deleted, or the node itself created
     * @param children how many children it has
     * @param made how many children have been made in it so far, which is the number of the next sequential one
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

        /** One that has had only the children that it has. */
        public Node(
                String path, byte[] data, long czxid, long mzxid, long pzxid, int version, int children, long owner) {
            this(path, data, czxid, mzxid, pzxid, version, children, children, owner);
        }
    }

    /** A part of a multi. A version of -1 is any. */
    sealed interface ZkOp {
        /** The node that it is about. */
        String path();

        /** Bytes of the value it carries. */
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
