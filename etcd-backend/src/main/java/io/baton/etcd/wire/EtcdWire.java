package io.baton.etcd.wire;

import io.baton.CoordinationException;
import io.baton.etcd.Evidence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection to a cluster: single requests to one member at a time, no retries.
 *
 * <p>All callbacks run on the session's loop. Each request is answered exactly once, within the time that the wire was
 * opened with, until the wire is closed. Answers arrive in any order: requests overtake each other, on the network and
 * in the server. The responses of one watch arrive in order.
 *
 * <p>A wire moves from member to member: {@link Events#connected}, {@link Events#disconnected}, and again. Before it
 * reports a broken connection, it answers all requests in flight with {@link Code#LOST}, and ends every watch so. A
 * request made without a connection is also answered {@link Code#LOST}. Reads are linearizable.
 */
public interface EtcdWire {

    /** Grants a lease. The server may give it a longer time to live. */
    void grant(Duration ttl, Reply<Lease> reply);

    /**
     * Renews a lease. The answer's time to live is zero if the answering member has no such lease. {@link Evidence}
     * says what such an answer proves.
     */
    void keepAlive(long lease, Reply<Lease> reply);

    /** Ends a lease and all its keys. For one that has already ended, the answer is {@link Code#NO_LEASE}. */
    void revoke(long lease, Reply<Header> reply);

    /** Applies the branch that the conditions select, all or nothing. A transaction without writes is a read. */
    void txn(Txn txn, Reply<Result> reply);

    /**
     * Watches until closed or ended. An ended watch is not resumed.
     *
     * @param range the keys; a range without values reports deletions only
     * @param from the first revision to report; 0 is from now on
     */
    Watch watch(Range range, long from, Watcher to);

    /** Gives up this connection, and tries the next member. Has no effect without a connection. */
    void reconnect(String why);

    /** Closes the wire. No callback follows. */
    void close();

    /** Makes wires. Calls {@code events} from then on, but never within {@code open}. */
    interface Factory {
        /** Opens a wire that answers each request within this time, if need be with {@link Code#LOST}. */
        EtcdWire open(Duration patience, Events events);
    }

    /** Events of the wire. */
    interface Events {
        /** In contact with a member. */
        void connected();

        /** Contact is lost; {@code why} is a text for people. */
        void disconnected(String why);

        /** Still without contact, and trying; {@code why} is a text for people. */
        void trouble(String why);

        /** There will be no contact: the servers refuse this client, and would again. */
        void rejected(CoordinationException why);
    }

    /** The outcome of a request. */
    enum Code {
        OK,
        /** No answer, or one that does not show whether the request was or will be applied. */
        LOST,
        /** Not applied: there is no such lease. */
        NO_LEASE,
        /** Not applied: this client lacks the permission. */
        DENIED,
        /** Not applied: too many operations, or too many bytes. */
        TOO_LARGE,
        /** Not applied: the server is overloaded. */
        OVERLOADED,
        /** Answered, so not in flight any more: the server's space is used up, perhaps by this very request. */
        NO_SPACE,
        /** The revision at which a watch was to begin, or of a read, has been compacted. */
        COMPACTED,
        /** Not applied, for another reason, given in the message. */
        REFUSED
    }

    /** The outcome of a request, with a message. */
    record Fault(Code code, String message) {

        public static final Fault NONE = new Fault(Code.OK, "");

        public boolean ok() {
            return code == Code.OK;
        }
    }

    /** An answer. The value is non-null if and only if there was no fault. */
    interface Reply<T> {
        void accept(Fault fault, @Nullable T value);
    }

    /**
     * The answering member's position, in each answer.
     *
     * @param cluster the id of its cluster
     * @param member the id of the member
     * @param revision the store's revision known to this member
     * @param term the raft term known to this member
     */
    record Header(long cluster, long member, long revision, long term) {}

    /** A lease as granted or renewed. A time to live of zero means that there is none. */
    record Lease(Header header, long id, Duration ttl) {}

    /** Conditions, and the requests to apply if all of them hold, or otherwise. */
    record Txn(List<Compare> ifs, List<Request> then, List<Request> otherwise) {

        public static Txn read(Range... ranges) {
            return new Txn(List.of(), List.of(ranges), List.of());
        }

        /** Whether it may change anything. */
        public boolean writes() {
            return Stream.concat(then.stream(), otherwise.stream()).anyMatch(request -> !(request instanceof Range));
        }
    }

    /** A condition on a key. */
    sealed interface Compare {

        /** The key was created at this revision; with 0, the key does not exist. */
        record Created(String key, long revision) implements Compare {}

        /** The key was last written at this revision. */
        record Written(String key, long revision) implements Compare {}
    }

    /** A part of a transaction. */
    sealed interface Request {}

    /** Writes a key; lease 0 is none. */
    record Put(String key, byte[] value, long lease) implements Request {

        /** In place of a lease: that of the key as it is, which must exist. */
        public static final long SAME_LEASE = -1;
    }

    /** Deletes a key, if it exists. */
    record Delete(String key) implements Request {}

    /**
     * Reads a key, or all keys with a prefix.
     *
     * @param key the key or the prefix
     * @param prefix whether {@code key} is a prefix
     * @param order the order of the keys
     * @param limit the maximum number of keys; 0 is all
     * @param maxCreated only keys created at this revision or before; 0 is all
     * @param values whether to read the values
     * @param after only keys after this one, which has the prefix, too; empty is all
     * @param revision the revision to read at; 0 is the current one
     */
    record Range(
            String key,
            boolean prefix,
            Order order,
            int limit,
            long maxCreated,
            boolean values,
            String after,
            long revision)
            implements Request {

        public static Range key(String key) {
            return new Range(key, false, Order.KEY, 0, 0, true, "", 0);
        }

        /** Whether the key exists, and its revisions. */
        public static Range presence(String key) {
            return new Range(key, false, Order.KEY, 0, 0, false, "", 0);
        }

        public static Range below(String prefix) {
            return new Range(prefix, true, Order.KEY, 0, 0, true, "", 0);
        }

        /** The existing keys, and their revisions. */
        public static Range keysBelow(String prefix) {
            return new Range(prefix, true, Order.KEY, 0, 0, false, "", 0);
        }

        /** One of the existing keys, if there are any. */
        public static Range anyBelow(String prefix) {
            return new Range(prefix, true, Order.KEY, 1, 0, false, "", 0);
        }

        /** The newest keys created at this revision or before. */
        public static Range newest(String prefix, int limit, long maxCreated) {
            return new Range(prefix, true, Order.LAST_CREATED, limit, maxCreated, false, "", 0);
        }

        /** As {@link #newest}, with the values. */
        public static Range newestValues(String prefix, int limit, long maxCreated) {
            return new Range(prefix, true, Order.LAST_CREATED, limit, maxCreated, true, "", 0);
        }

        /** The key that was written last. */
        public static Range lastWritten(String prefix) {
            return new Range(prefix, true, Order.LAST_WRITTEN, 1, 0, false, "", 0);
        }

        /** At most this many of the keys after this one, at this revision. */
        public Range page(String behind, int most, long at) {
            return new Range(key, prefix, order, most, maxCreated, values, behind, at);
        }
    }

    /** The order in which keys are read. */
    enum Order {
        KEY,
        /** By creation, the newest first. */
        LAST_CREATED,
        /** By last write, the newest first. */
        LAST_WRITTEN
    }

    /** The result of a transaction, with one part for each request of the applied branch, in order. */
    record Result(Header header, boolean met, List<Part> parts) {}

    /**
     * The keys found by a range; none for a delete or a put. {@code count} is the number of keys in the range,
     * regardless of the limit and of {@code maxCreated}, or the number of deleted keys.
     */
    record Part(List<Kv> kvs, long count) {

        public Optional<Kv> first() {
            return kvs.stream().findFirst();
        }
    }

    /** A key as read. */
    record Kv(String key, byte[] value, long created, long written, long lease) {}

    /** An active watch. */
    interface Watch {
        /** Ends the watch. No callback follows. */
        void close();
    }

    /** Receives a watch's callbacks in order: created, then events, then ended. The end may come at any time. */
    interface Watcher {

        /** The watch is set. The header's revision does not show from where. */
        void created(Header header);

        /** Events, the oldest first. All events of one revision arrive together. */
        void events(List<Event> events, Header header);

        /** The watch has ended. No callback follows. */
        void ended(Fault why);
    }

    /** A key was written or deleted. A deletion has no value. */
    record Event(String key, boolean deleted, byte[] value, long created, long revision) {}
}
