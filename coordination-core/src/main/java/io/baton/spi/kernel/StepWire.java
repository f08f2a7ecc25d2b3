package io.baton.spi.kernel;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One session's steps in a store, each applied as a whole or not at all. The wire holds the connections, and knows
 * nothing of places, deadlines and doubts: {@link KernelSession} decides those.
 *
 * <p><b>Contact.</b> {@link #attach} begins a contact. It lasts until the wire reports {@link Events#disconnected}, or
 * until the next {@code attach}. In one contact the store applies the steps in the order of the calls, and the wire
 * answers each of them once, in that order. Once a contact is over, its steps need no answer; the session ignores late
 * answers. No event of a contact comes after the next {@code attach} is answered. A step of a former contact may still
 * be applied, but only before the next {@code attach} is: the attach raises the session's <em>epoch</em>, and the store
 * applies a step only in the epoch in which it was sent.
 *
 * <p><b>Threads.</b> Methods are called on the session's loop and never block. A wire over a blocking driver queues the
 * steps for a thread of its own. Answers and events are given on the loop ({@link Loop#deliver} or
 * {@link Loop#execute}), and never from within a call of the wire.
 *
 * <p><b>The store's duties</b>, in every step where they matter:
 *
 * <ul>
 *   <li><b>Order.</b> An entry stands behind each entry whose join was committed before. Its token is larger than every
 *       token that the line has ever given, also after a fail-over that lost the latest steps.
 *   <li><b>Clear.</b> An entry is clear once no entry ahead of it {@linkplain Claim#conflictsWith conflicts} with its
 *       claim; a {@linkplain #downgrade downgraded} entry counts as shared. The step that removes or downgrades an entry
 *       finds those that become clear by it, and notifies their sessions: {@link Events#cleared}.
 *   <li><b>Expiry.</b> {@link #attach}, {@link #beat} and a join in a {@link #step} renew the session. The store ends no
 *       session within its ttl after a renewal, by a clock that does not run fast. Beats of any session end overdue
 *       sessions, a bounded number each: their entries go, and those that become clear are notified.
 *   <li><b>Quiet.</b> After a fail-over that may have lost the latest steps, the store is quiet for longer than any
 *       session's ttl. Answers say how long that lasts; the session then believes no entry to be newly clear.
 * </ul>
 */
public interface StepWire {

    /** Opens the wire of one session; it connects to nothing before {@link StepWire#attach}. */
    interface Opener {
        /**
         * Returns the wire of a new session.
         *
         * @param session the session's id, unique for all time; names of its entries begin with it
         * @param ttl how long the store keeps the session without a renewal
         * @param client the client's name, for people
         * @param loop the session's loop
         * @param to receives the session's events
         */
        StepWire open(String session, Duration ttl, String client, Loop loop, Events to);
    }

    /** Receives the answer to a step, on the loop. One of the two is called, once. */
    interface Reply<T> {
        /** The step was applied. */
        void answered(T answer);

        /**
         * The store refused the step: nothing was applied, and nothing will be. The contact goes on. Conflicts that pass
         * by themselves, such as deadlocks, are not told: the wire repeats the step.
         */
        void refused(CoordinationException why);

        /**
         * Whether the step is still to be applied if it has not been sent. A wire that queues steps asks before it sends
         * a transaction, also one that it repeats, and refuses it if not. Any thread.
         */
        default boolean isWanted() {
            return true;
        }
    }

    /** Receives what happens without a call, on the loop. */
    interface Events {
        /**
         * The contact is over, or the attach has failed to begin one. The wire does nothing until the next {@link
         * StepWire#attach}.
         *
         * @param why the reason, for people
         */
        void disconnected(String why);

        /**
         * This own entry has become clear. Being told once is enough, twice or late does no harm, and never is found by
         * the next {@link StepWire#beat}.
         */
        void cleared(String name, long token);

        /** This own entry was removed by another session, or by hand. As with {@link #cleared}, may be lost or late. */
        void gone(String name);

        /**
         * Something that this session {@linkplain StepWire#follow follows} has changed. May be lost: a beat returns the
         * versions. May be merged with later ones.
         */
        void changed(Topic topic, long version);

        /** As {@link io.baton.spi.SessionListener#troubled}, of what the wire does beside the steps. */
        default void troubled(String what, String why) {}

        /** As {@link io.baton.spi.SessionListener#resolved}. */
        default void resolved(String what) {}

        /**
         * The session has ended in the store, or cannot exist in it, for good: it has expired, was removed, or the store
         * is not what the client expects. Nothing follows.
         */
        void over(CoordinationException why);
    }

    /**
     * An entry that joins.
     *
     * @param line the line
     * @param name the entry's name, which no other entry has or will have
     * @param claim what it claims
     * @param payload its bytes
     */
    record Joining(Line line, String name, Claim claim, byte[] payload) {}

    /**
     * An own entry that leaves.
     *
     * @param line the line
     * @param name the entry's name
     * @param token its fencing token
     * @param claim what it claimed when it joined, or more; it may have been downgraded since
     */
    record Departure(Line line, String name, long token, Claim claim) {}

    /**
     * An own entry as it stands.
     *
     * @param line the line's path and what else the wire knows of it; only {@link #attach} has to fill it, and only so
     *     that a {@link Departure} with it removes the entry
     * @param name its name
     * @param token its fencing token
     * @param clear whether no entry ahead conflicts
     * @param downgraded whether it was downgraded
     */
    record Standing(Line line, String name, long token, boolean clear, boolean downgraded) {}

    /**
     * The answer to {@link #attach}.
     *
     * @param own all entries of this session
     * @param verdicts the transactions of this session above the acknowledged number that have been decided: whether
     *     they were committed
     * @param history identifies the store's history, as {@link Position#history}; another one after each fail-over that
     *     may have lost steps
     * @param quiet how long the store stays quiet; zero if it is not
     */
    record Attached(List<Standing> own, Map<Long, Boolean> verdicts, String history, Duration quiet) {}

    /**
     * The answer to {@link #beat}.
     *
     * @param own those of the entries asked for that stand
     * @param versions the present version of each topic asked for
     * @param quiet how long the store stays quiet; zero if it is not
     */
    record Beaten(List<Standing> own, Map<Topic, Long> versions, Duration quiet) {}

    /**
     * The answer to {@link #step}.
     *
     * @param busy the names of those departures that were not made, as a transaction of a user holds the entry; they are
     *     tried again later
     * @param joined the entry that has joined; empty if none was to
     */
    record Stepped(List<String> busy, Optional<Standing> joined) {}

    /** The answer to {@link #isFree}. */
    enum Availability {
        /** A contender would be clear. */
        FREE,
        /** A contender would wait. */
        TAKEN,
        /**
         * A contender would wait, but only for entries of sessions that have been silent for longer than their ttl, and
         * that beats will end unless they are renewed. Only stores whose clock stands still between looks need this.
         */
        EXPIRING;

        /** Returns the answer of a store whose clock never stands still. */
        public static Availability of(boolean free) {
            return free ? FREE : TAKEN;
        }
    }

    /**
     * What a session follows. Within a history each version occurs once; two empty states of a line have two versions.
     * The exception is an empty line that the store has tidied away: that may have the version 0 each time.
     * A read for one version may already show the next state. If the event of that is lost, only another version makes
     * the session read again.
     */
    sealed interface Topic {
        /** The first entry of a line; its version changes with the entry and with its downgrade. */
        record Head(Line line) implements Topic {}

        /** All entries of a line; its version changes with each of them. */
        record Entries(Line line) implements Topic {}

        /** A tree of records; its version is the revision of its latest change, 0 or less if there was none. */
        record Tree(String tree) implements Topic {}
    }

    /** All records of a tree, consistent at a position. */
    record Snapshot(List<Item> items, Position at) {}

    /**
     * The changes of a tree after one revision, up to and including another. Of several changes of a record it has the
     * last.
     */
    record Changes(List<Item> put, List<RecordKey> deleted, long revision) {}

    /**
     * Begins a contact: connects if need be, ends a former contact, raises the session's epoch, and renews the session.
     * Waits for a step of a former contact that is being applied.
     *
     * <p>Reports {@link Events#disconnected} if there is no contact to be had, and {@link Events#over} if the session has
     * ended. The session gives up an attach that has no answer within its ttl or 10 s, whichever is longer: it calls this
     * again, and waits twice as long.
     *
     * @param first whether no attach of this session was answered before. The store then creates the session unless it
     *     exists; otherwise a session that does not exist has ended
     * @param acknowledged the verdicts up to this number are not needed any more
     */
    void attach(boolean first, long acknowledged, Reply<Attached> reply);

    /**
     * Renews the session, ends some of those that are overdue, and looks. Beats need no order with other steps: a wire may
     * make them on a connection of its own, so that no other step delays them.
     *
     * @param looked names of own entries; the answer has those that stand
     * @param followed topics; the answer has their versions
     */
    void beat(List<String> looked, List<Topic> followed, Reply<Beaten> reply);

    /**
     * Removes own entries, and then adds one. Entries that have gone before do no harm. A join renews the session. The
     * joined entry counts as clear if nothing ahead conflicts once the departures are made.
     */
    void step(List<Departure> leaving, Optional<Joining> joining, Reply<Stepped> reply);

    /**
     * Makes the exclusive claim of an own entry shared. Without effect if it has gone, or was downgraded before.
     *
     * @param reply receives false if the entry has gone; also may, if it was downgraded before
     */
    void downgrade(Departure entry, Reply<Boolean> reply);

    /**
     * Applies all operations and removes all these entries of any sessions, or does nothing and answers false: as
     * {@link io.baton.spi.Session#transact}. The owners of removed entries are notified: {@link Events#gone}. The store
     * keeps the verdict until it is acknowledged; a number that has a verdict is not applied again.
     *
     * @param n the number of the transaction, unique within the session; a repeated transaction keeps its number
     * @param acknowledged the verdicts up to this number are not needed any more
     */
    void transact(
            long n,
            long acknowledged,
            List<Condition> conditions,
            List<Op> ops,
            List<Peer> removed,
            Reply<Boolean> reply);

    /** Reads whether a contender with this claim, at the end of the line, would be clear. */
    void isFree(Line line, Claim claim, Reply<Availability> reply);

    /** Reads the contenders in a line, in order. */
    void peers(Line line, Reply<List<Peer>> reply);

    /** Reads the first entry of a line. */
    void first(Line line, Reply<Optional<Entry>> reply);

    /** Reads one contender's entry. */
    void details(Peer peer, Reply<Optional<Entry>> reply);

    /** Reads a record. */
    void get(RecordKey key, Reply<Optional<Item>> reply);

    /**
     * Subscribes to {@link Events#changed} of a topic, until {@link #unfollow} or the end of the contact. A change that is
     * applied after this is answered is told, unless it is lost.
     *
     * @param reply receives the present version
     */
    void follow(Topic topic, Reply<Long> reply);

    /** Ends a subscription. It has no answer. */
    void unfollow(Topic topic);

    /** Reads all records of a tree. */
    void snapshot(String tree, Reply<Snapshot> reply);

    /**
     * Reads the changes of a tree after a revision of this history.
     *
     * @param reply receives the changes; empty if the store does not know all of them any more
     */
    void changesSince(String tree, long revision, Reply<Optional<Changes>> reply);

    /** Ends the session: removes it and its entries, and notifies those that become clear. */
    void end(Reply<Boolean> reply);

    /** Ends the contact, and frees the wire's connections and threads. No answers and no events follow. */
    void close();
}
