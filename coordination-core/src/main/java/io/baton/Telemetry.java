package io.baton;

import java.time.Duration;
import java.time.Instant;

/**
 * Told what a coordinator does: how long locks are waited for and held, what becomes of the session, and what each
 * request to the store costs; by {@link ElectionTelemetry} also what becomes of its candidates and standby nodes. For
 * metrics, logs and traces; an application's own reaction to a loss belongs into {@link Hold#onLost}. Every method does
 * nothing unless overridden.
 *
 * <p>Set by {@link CoordinatorOptions.Builder#telemetry}; {@link Slf4jTelemetry} logs what is worth looking at.
 *
 * <p><b>Threads.</b> Called where callbacks run (Baton's own pool, or {@link CoordinatorOptions.Builder#callbacks}),
 * never on a thread that the lock's timing depends on. One coordinator tells one listener one event at a time, in the
 * order in which things happened; a listener that serves several coordinators may be called by several threads at once.
 * What a listener throws is logged, and it stays.
 *
 * <p><b>A slow listener</b> holds up neither locks nor other listeners. When 1,000 events wait for it, later ones are
 * dropped, and at their place it is {@linkplain #dropped told how many}. A lost hold, a change of the session, a term
 * of an election and a state of a node are never dropped.
 *
 * <p><b>Cost.</b> Without a listener nothing is measured, and no event is made. With one, each event is a small object
 * and a place in a queue.
 *
 * <p><b>Not guaranteed.</b> That everything is told when the process ends, or when closing has waited for the listener
 * for as long as {@link CoordinatorOptions#closeTimeout()} allows.
 */
public interface Telemetry extends ElectionTelemetry {

    /** Still waiting: told after 1 s, 2 s, 4 s, 8 s and so on. */
    default void waiting(Waiting event) {}

    /** A lock was granted. */
    default void granted(Granted event) {}

    /** An acquisition ended without a hold. */
    default void notGranted(NotGranted event) {}

    /** A waiter's session ended, and it joins the line again; see {@link CoordinatorOptions.Builder#rejoin}. */
    default void rejoined(Rejoined event) {}

    /** A hold is in {@link HoldState#JEOPARDY}. */
    default void jeopardy(Jeopardy event) {}

    /** A hold is {@link HoldState#HELD} again. */
    default void steady(Steady event) {}

    /** A hold was lost. Never dropped. */
    default void lost(Lost event) {}

    /** A hold was closed by its owner. */
    default void released(Released event) {}

    /** The store has confirmed a release: the next in line may hold from now on. */
    default void handedOff(HandedOff event) {}

    /** The coordinator's contact with its store changed. Never dropped. */
    default void session(SessionChange event) {}

    /** How many wait and hold now: told within a second of a change, and at most once a second. Never dropped. */
    default void load(Load event) {}

    /** A live configuration came to another state, rejected one, or is or is no longer known to be the newest. */
    default void configuration(Configuration event) {}

    /** A request to the store was answered, or will never be. */
    default void request(Request event) {}

    /** This listener was too slow, and at this point has missed events. */
    default void dropped(Dropped event) {}

    /**
     * Still waiting.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param waited since the acquisition was asked for
     */
    record Waiting(Instant at, String lock, Duration waited) {}

    /**
     * A lock was granted.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the hold's fencing token
     * @param waited since the acquisition was asked for
     */
    record Granted(Instant at, String lock, long token, Duration waited) {}

    /**
     * An acquisition ended without a hold.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param reason what ended it
     * @param waited since the acquisition was asked for
     * @param why the message of the failure; empty if it did not fail
     */
    record NotGranted(Instant at, String lock, Reason reason, Duration waited, String why) {

        /** What ends an acquisition without a hold. */
        public enum Reason {
            /** {@link DistributedLock#tryAcquire()} found somebody in line. */
            TAKEN,
            /** The time limit has passed. */
            TIMED_OUT,
            /** Interrupted, or its future was cancelled. */
            CANCELLED,
            /** The coordinator was closed. */
            CLOSED,
            /** The caller got an exception: the session ended, the store was out of reach, or the entry was removed. */
            FAILED
        }
    }

    /**
     * A waiter's session ended, and it joins the line again, at its end.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param waited since the acquisition was asked for
     * @param why what became of the session
     */
    record Rejoined(Instant at, String lock, Duration waited, String why) {}

    /**
     * A hold is in jeopardy.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the hold's fencing token
     * @param remaining how long it is certain to stay valid
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
     * @param held since it was granted
     * @param why the reason, for people
     */
    record Lost(Instant at, String lock, long token, Duration held, String why) {}

    /**
     * A hold was released.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the hold's fencing token
     * @param held since it was granted
     */
    record Released(Instant at, String lock, long token, Duration held) {}

    /**
     * The store has confirmed a release. When the next one in line is granted only that one knows.
     *
     * @param at when, by this machine's wall clock
     * @param lock name of the lock
     * @param token the released hold's fencing token
     * @param took from the release to the confirmation
     */
    record HandedOff(Instant at, String lock, long token, Duration took) {}

    /**
     * The coordinator's contact with its store changed.
     *
     * @param at when, by this machine's wall clock
     * @param session the store's name for the session that this is about; empty before there was one
     * @param state the new state
     * @param before how long the state before lasted
     * @param why for LOST, the reason; otherwise empty
     */
    record SessionChange(Instant at, String session, SessionState state, Duration before, String why) {}

    /**
     * How many wait and hold now, over all locks and elections of the coordinator.
     *
     * @param at when, by this machine's wall clock
     * @param waiting acquisitions and candidacies that have neither been granted nor ended
     * @param holding holds that have neither been closed nor lost
     */
    record Load(Instant at, int waiting, int holding) {}

    /**
     * Something became of a live configuration.
     *
     * @param at when, by this machine's wall clock
     * @param space the tree that it follows
     * @param what has happened
     * @param source where the values in use come from: {@code LIVE}, {@code CACHED} or {@code BUNDLED}
     * @param revision of the values in use
     * @param change the number of the last change in them
     * @param newest the number of the newest change that is known
     * @param rejected why the newest is not in use, without secrets; empty if it is
     */
    record Configuration(
            Instant at,
            String space,
            What what,
            String source,
            long revision,
            long change,
            long newest,
            String rejected) {

        /** What has happened. */
        public enum What {
            /** Other values came into use. */
            APPLIED,
            /** A revision was not applied. */
            REJECTED,
            /** Contact is back, and what was seen is the newest. */
            CONFIRMED,
            /** Out of contact: there may be something newer. */
            UNCONFIRMED
        }
    }

    /**
     * A request to the store was answered, or will never be.
     *
     * @param at when, by this machine's wall clock
     * @param kind what was asked
     * @param outcome how it ended
     * @param took from sending it to looking at its answer
     */
    record Request(Instant at, Kind kind, Outcome outcome, Duration took) {

        /** What a request asks of the store. */
        public enum Kind {
            /** A place in a line. */
            JOIN,
            /** The parent of a line or a record. */
            CREATE,
            /** Who stands in a line, or which records a tree has. */
            LIST,
            /** A value. */
            READ,
            /** To be told of a change, or no longer. */
            WATCH,
            /** The removal of a place in a line. */
            DELETE,
            /** A proof that the session is alive: a heartbeat. */
            COMMIT,
            /** Writes, all or none. */
            TRANSACT
        }

        /** How a request ended. */
        public enum Outcome {
            /** Done. */
            OK,
            /** The store answered that it cannot be: something is not there, or not as expected. Mostly no trouble. */
            REFUSED,
            /** No answer, as contact broke; it may have been applied. */
            UNANSWERED,
            /** The session was over, access was denied, or the store broke. */
            FAILED
        }
    }

    /**
     * Events were dropped because the listener was slow.
     *
     * @param at when the latest of them happened, by this machine's wall clock
     * @param events how many, one after another
     */
    record Dropped(Instant at, long events) {}
}
