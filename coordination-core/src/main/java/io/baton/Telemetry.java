package io.baton;

import java.time.Duration;
import java.time.Instant;

/**
 * A listener for the events of a coordinator: waits, grants and losses of locks, the session's states, and the cost of
 * each request to the store. {@link ElectionTelemetry} adds the events of its candidates and standby nodes.
 *
 * <p>It is meant for metrics, logs and traces. An application reacts to a loss in {@link Hold#onLost}. Every method
 * does nothing unless overridden.
 *
 * <p>Set by {@link CoordinatorOptions.Builder#telemetry}. {@link Slf4jTelemetry} logs the events that need attention.
 *
 * <p><b>Threads.</b> Called on callback threads (Baton's own pool, or {@link CoordinatorOptions.Builder#callbacks}),
 * never on a thread on which a lock's timing depends. A coordinator reports one event at a time to each listener, in
 * the order in which they happened. A listener of several coordinators may be called by several threads at once. An
 * exception that a listener throws is logged, and the listener stays registered.
 *
 * <p><b>A slow listener</b> delays neither locks nor other listeners. While 1,000 events are queued for it, further
 * ones are dropped, and {@link #dropped} reports their number in their place. Events that are documented as never
 * dropped are queued all the same, until 10,000 events wait: such a listener hangs, and the oldest events are dropped.
 *
 * <p><b>Cost.</b> Without a listener nothing is measured, and no event is created. With one, each event is a small
 * object and a place in a queue.
 *
 * <p><b>Not guaranteed.</b> Events may be missing when the process ends, or when the listener takes longer than {@link
 * Coordinator#close} waits.
 */
public interface Telemetry extends ElectionTelemetry {

    /** An acquisition still waits. Reported after 1 s, 2 s, 4 s, 8 s and so on. */
    default void waiting(Waiting event) {}

    /** A lock was granted. */
    default void granted(Granted event) {}

    /** An acquisition ended without a hold. */
    default void notGranted(NotGranted event) {}

    /** A waiter's session ended, and the waiter rejoins the line; see {@link CoordinatorOptions.Builder#rejoin}. */
    default void rejoined(Rejoined event) {}

    /** A hold changed to {@link HoldState#JEOPARDY}. */
    default void jeopardy(Jeopardy event) {}

    /** A hold changed back to {@link HoldState#HELD}. */
    default void steady(Steady event) {}

    /** A hold was lost. Never dropped. */
    default void lost(Lost event) {}

    /** A hold was closed by its owner. */
    default void released(Released event) {}

    /** The store has confirmed a release. The next contender may be granted from now on. */
    default void handedOff(HandedOff event) {}

    /** The coordinator's contact with its store changed. Never dropped. */
    default void session(SessionChange event) {}

    /**
     * The number of waiters or holds changed. Reported within a second, at most once a second. Of those that are queued
     * for a slow listener, it receives the newest.
     */
    default void load(Load event) {}

    /**
     * A live configuration changed its state. Applied and rejected revisions may be dropped, as they can be many; other
     * changes are never dropped.
     */
    default void configuration(Configuration event) {}

    /** A request to the store was answered, or no answer can come any more. */
    default void request(Request event) {}

    /** Events before this one were dropped because this listener was too slow. */
    default void dropped(Dropped event) {}

    /**
     * An acquisition still waits.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param waited time since the acquisition began
     */
    record Waiting(Instant at, String lock, Duration waited) {}

    /**
     * A lock was granted.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the hold's fencing token
     * @param waited time since the acquisition began
     */
    record Granted(Instant at, String lock, long token, Duration waited) {}

    /**
     * An acquisition ended without a hold.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param reason what ended it
     * @param waited time since the acquisition began
     * @param why the message of the failure; empty if it did not fail
     */
    record NotGranted(Instant at, String lock, Reason reason, Duration waited, String why) {

        /** What ends an acquisition without a hold. */
        public enum Reason {
            /** {@link DistributedLock#tryAcquire()} found another contender in the line. */
            TAKEN,
            /** The time limit has passed. */
            TIMED_OUT,
            /** The caller was interrupted, or the future was cancelled. */
            CANCELLED,
            /** The coordinator was closed. */
            CLOSED,
            /**
             * The caller got an exception: the session ended, the store was out of reach, the entry was removed, or too
             * many acquisitions were under way.
             */
            FAILED
        }
    }

    /**
     * A waiter's session ended, and the waiter rejoins the line, at its end.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param waited time since the acquisition began
     * @param why the reason for the end of the session
     */
    record Rejoined(Instant at, String lock, Duration waited, String why) {}

    /**
     * A hold is in jeopardy.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the hold's fencing token
     * @param remaining how long it is certain to stay valid; see {@link Hold#remaining()}
     */
    record Jeopardy(Instant at, String lock, long token, Duration remaining) {}

    /**
     * A hold is out of jeopardy.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the hold's fencing token
     * @param lasted how long it was in jeopardy
     */
    record Steady(Instant at, String lock, long token, Duration lasted) {}

    /**
     * A hold was lost.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the hold's fencing token
     * @param held time since it was granted
     * @param why the reason, for people
     */
    record Lost(Instant at, String lock, long token, Duration held, String why) {}

    /**
     * A hold was released.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the hold's fencing token
     * @param held time since it was granted
     */
    record Released(Instant at, String lock, long token, Duration held) {}

    /**
     * The store has confirmed a release. The next contender's own coordinator reports its grant.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the released hold's fencing token
     * @param took time from the release to the confirmation
     */
    record HandedOff(Instant at, String lock, long token, Duration took) {}

    /**
     * The coordinator's contact with its store changed.
     *
     * @param at when, by this machine's wall clock
     * @param session the store's name for the session; empty before the first contact
     * @param state the new state
     * @param before how long the previous state lasted
     * @param why for LOST, the reason; otherwise empty
     */
    record SessionChange(Instant at, String session, SessionState state, Duration before, String why) {}

    /**
     * The number of waiters and holds, over all locks and elections of the coordinator.
     *
     * @param at when, by this machine's wall clock
     * @param waiting acquisitions and candidacies that have neither been granted nor ended
     * @param holding holds that have neither been closed nor lost
     */
    record Load(Instant at, int waiting, int holding) {}

    /**
     * The state of a live configuration changed.
     *
     * @param at when, by this machine's wall clock
     * @param space the tree that it follows
     * @param what the kind of change
     * @param source where the values in use come from: {@code LIVE}, {@code CACHED} or {@code BUNDLED}
     * @param revision the store's revision of the values in use
     * @param change the number of the last change in the values in use
     * @param newest the number of the newest known change
     * @param rejected why the newest revision is not in use, without secrets; empty if it is
     * @param unconfirmedFor how long ago the newest known values were last confirmed as the store's newest, in an earlier
     *     process if they come from its cache; zero while they are
     */
    record Configuration(
            Instant at,
            String space,
            What what,
            String source,
            long revision,
            long change,
            long newest,
            String rejected,
            Duration unconfirmedFor) {

        /** What changed in a live configuration. */
        public enum What {
            /** Other values came into use. */
            APPLIED,
            /** A revision was rejected. */
            REJECTED,
            /** Contact is back, and the newest revision is known. */
            CONFIRMED,
            /** Contact is lost; the store may have a newer revision. */
            UNCONFIRMED,
            /** The last live configuration of this space was closed, or its coordinator: the space is not followed. */
            CLOSED
        }
    }

    /**
     * A request to the store was answered, or no answer can come any more.
     *
     * @param at when, by this machine's wall clock
     * @param kind the kind of request
     * @param outcome how it ended
     * @param took time from sending the request to processing its answer
     */
    record Request(Instant at, Kind kind, Outcome outcome, Duration took) {

        /** The kinds of requests to a store. */
        public enum Kind {
            /** Joins a line. */
            JOIN,
            /** Creates the parent node of a line or a record, or a lease. */
            CREATE,
            /** Lists the entries of a line or the records of a tree. */
            LIST,
            /** Reads a value. */
            READ,
            /** Sets or removes a watch. */
            WATCH,
            /** Removes an entry of a line, or a lease. */
            DELETE,
            /** Proves that the session is alive: a heartbeat. */
            COMMIT,
            /** Applies several writes, or none. */
            TRANSACT
        }

        /** How a request ended. */
        public enum Outcome {
            /** The store did what was requested. */
            OK,
            /** The store refused, as something is missing or has changed. Mostly part of normal operation. */
            REFUSED,
            /** Contact broke before an answer came; the request may have been applied. */
            UNANSWERED,
            /** The session was over, access was denied, or the store failed. */
            FAILED
        }
    }

    /**
     * Events were dropped because the listener was slow.
     *
     * @param at when the latest of them happened, by this machine's wall clock
     * @param events the number of consecutive events that were dropped
     */
    record Dropped(Instant at, long events) {}
}
