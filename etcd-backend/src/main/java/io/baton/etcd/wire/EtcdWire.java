package io.baton.etcd.wire;

import io.baton.CoordinationException;
import io.baton.etcd.Evidence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client's way to a cluster: single requests to one member at a time, no retries.
 *
 * <p>Everything is told on the session's loop. Each request is answered exactly once, within the time that the wire was
 * opened with, until the wire is closed. Answers come in any order: requests overtake each other, on the way and in the
 * server. The responses of one watch come in order.
 *
 * <p>A wire goes from member to member: {@link Events#connected}, {@link Events#disconnected}, and again. Before it tells
 * of a broken connection, whatever was under way on it has been answered {@link Code#LOST} and every watch has ended so.
 * A request made without a connection is answered {@link Code#LOST}, too. Reads are linearizable.
 */
public interface EtcdWire {

    /** Makes a lease; the server may give it a longer time to live. */
    void grant(Duration ttl, Reply<Lease> reply);

    /**
     * Renews a lease; the answer's time to live is zero if the member that answered knows of no such lease. What such an
     * answer proves, see {@link Evidence}.
     */
    void keepAlive(long lease, Reply<Lease> reply);

    /** Ends a lease and all its keys; one that has ended already is answered {@link Code#NO_LEASE}. */
    void revoke(long lease, Reply<Header> reply);

    /** Applies what follows from the conditions, all or nothing. One without writes is a read. */
    void txn(Txn txn, Reply<Result> reply);

    /**
     * Watches until closed or ended; a watch that has ended is not resumed.
     *
     * @param range which keys; of a range without values deletions only are told
     * @param from the first revision to tell of; 0 is from now on
     */
    Watch watch(Range range, long from, Watcher to);

    /** Gives up this connection, as useless, and tries the next member; without effect if there is none. */
    void reconnect(String why);

    /** Ends everything; {@code LOST} is told to nobody any more. */
    void close();

    /** Makes wires; {@code events} are told from then on, never from within the call. */
    interface Factory {
        /** A wire each request of which is answered, or given up, within this time. */
        EtcdWire open(Duration patience, Events events);
    }

    /** What the wire tells unasked. */
    interface Events {
        /** In contact with a member. */
        void connected();

        /** Out of contact; the reason is for people. */
        void disconnected(String why);

        /** Still out of contact, and trying; the reason is for people. */
        void trouble(String why);

        /** There will be no contact: the servers refuse us, and would again. */
        void rejected(CoordinationException why);
    }

    /** How a request went. */
    enum Code {
        OK,
        /** No answer, or one that does not tell whether the request was, or will be, applied. */
        LOST,
        /** Not applied: there is no such lease. */
        NO_LEASE,
        /** Not applied: this client may not. */
        DENIED,
        /** Not applied: too many operations, or too many bytes. */
        TOO_LARGE,
        /** Not applied: the server has too much to do. */
        OVERLOADED,
        /** Answered, and not under way any more: the server's space is used up, perhaps by this very request. */
        NO_SPACE,
        /** What a watch was to begin with, or a read to be of, has been compacted away. */
        COMPACTED,
        /** Not applied, for another reason, which the message tells. */
        REFUSED
    }

    /** How a request went, and what there is to say of it. */
    record Fault(Code code, String message) {

        public static final Fault NONE = new Fault(Code.OK, "");

        public boolean ok() {
            return code == Code.OK;
        }
    }

    /** An answer; the value is there if, and only if, there was no fault. */
    interface Reply<T> {
        void accept(Fault fault, @Nullable T value);
    }

    /**
     * What each answer says of the member that gave it.
     *
     * @param cluster which cluster it belongs to
     * @param member which member it is
     * @param revision the store's revision as this member knows it
     * @param term the raft term as this member knows it
     */
    record Header(long cluster, long member, long revision, long term) {}

    /** A lease as granted or renewed; a time to live of zero: there is none. */
    record Lease(Header header, long id, Duration ttl) {}

    /** Conditions, and what is done if all of them hold, or else. */
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

        /** The key was created at this revision; with 0, there is no such key. */
        record Created(String key, long revision) implements Compare {}

        /** The key was last written at this revision. */
        record Written(String key, long revision) implements Compare {}
    }

    /** A part of a transaction. */
    sealed interface Request {}

    /** Writes a key; lease 0 is none. */
    record Put(String key, byte[] value, long lease) implements Request {}

    /** Deletes a key, if it is there. */
    record Delete(String key) implements Request {}

    /**
     * Reads a key, or all keys that begin so.
     *
     * @param key the key, or how the keys begin
     * @param prefix whether it is all keys that begin so
     * @param order in which order
     * @param limit no more than so many; 0 is all
     * @param maxCreated only keys created at this revision or before; 0 is all
     * @param values whether their values are wanted
     * @param after only keys behind this one, which begins so, too; empty is all
     * @param revision as they were at this revision; 0 is now
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

        /** Whether there is such a key, and of which revision. */
        public static Range presence(String key) {
            return new Range(key, false, Order.KEY, 0, 0, false, "", 0);
        }

        public static Range below(String prefix) {
            return new Range(prefix, true, Order.KEY, 0, 0, true, "", 0);
        }

        /** Which keys there are, and of which revisions. */
        public static Range keysBelow(String prefix) {
            return new Range(prefix, true, Order.KEY, 0, 0, false, "", 0);
        }

        /** One of the keys there are, if there are any. */
        public static Range anyBelow(String prefix) {
            return new Range(prefix, true, Order.KEY, 1, 0, false, "", 0);
        }

        /** The last created of those that were created no later than this. */
        public static Range newest(String prefix, int limit, long maxCreated) {
            return new Range(prefix, true, Order.LAST_CREATED, limit, maxCreated, false, "", 0);
        }

        /** The key that was written last. */
        public static Range lastWritten(String prefix) {
            return new Range(prefix, true, Order.LAST_WRITTEN, 1, 0, false, "", 0);
        }

        /** So many at most of those behind this key, as they were at this revision. */
        public Range page(String behind, int most, long at) {
            return new Range(key, prefix, order, most, maxCreated, values, behind, at);
        }
    }

    /** In which order keys are read. */
    enum Order {
        KEY,
        /** The last created first. */
        LAST_CREATED,
        /** The last written first. */
        LAST_WRITTEN
    }

    /** What a transaction did; one part for each request of the branch that was taken, in order. */
    record Result(Header header, boolean met, List<Part> parts) {}

    /**
     * The keys found by a range; of a delete or a put, none. {@code count} is how many there are, whatever the limit and
     * when they were created, or were deleted.
     */
    record Part(List<Kv> kvs, long count) {

        public Optional<Kv> first() {
            return kvs.stream().findFirst();
        }
    }

    /** A key as read. */
    record Kv(String key, byte[] value, long created, long written, long lease) {}

    /** A watch that goes on. */
    interface Watch {
        /** Ends it; nothing is told any more. */
        void close();
    }

    /** Told what a watch sees, in order: created, then events, then ended; ended may come at any time. */
    interface Watcher {

        /** The server watches from now on; the header's revision says nothing of where from. */
        void created(Header header);

        /** What happened, oldest first; all that happened in one revision is told at once. */
        void events(List<Event> events, Header header);

        /** It has ended, and nothing more is told. */
        void ended(Fault why);
    }

    /** What happened to a key: written, or deleted; a deletion has no value. */
    record Event(String key, boolean deleted, byte[] value, long created, long revision) {}
}
