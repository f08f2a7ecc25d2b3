package io.baton.chaos.history;

import java.util.Locale;

/**
 * What an event is; the comment tells its details. Where a hold is one of several with the same token, {@code token} has
 * its turn, too: {@code 7/2}.
 */
public enum EventKind {

    // A contender.

    /** Has a coordinator. */
    CONNECTED,
    /** Wants the lock, of several the first to be acquired: {@code ask}, {@code lock}, {@code how}. */
    ASKED,
    /** Will not have it: {@code ask}, {@code why}. */
    GAVE_UP,
    /**
     * Has it: {@code ask}, {@code lock}, {@code token}, {@code remaining}, {@code seen}; as {@link #LOOKED}. A reader has
     * {@code claim}, which is {@code shared}; a holder of permits has {@code permits}, and {@code size}, of the semaphore.
     * Where the lock has options: {@code hand-overs} of a cohort, and {@code at-least} and {@code after-loss} in nanoseconds.
     */
    GRANTED,
    /**
     * Has looked at its hold: {@code lock}, {@code token}, {@code state}, and {@code remaining}, for how long it is
     * certain to be valid. The event's time is from before the look, {@code seen} from after it.
     */
    LOOKED,
    /** Its coordinator has one of several locks, and acquires the others: {@code ask}, {@code lock}, {@code token}. */
    TAKEN,
    /** Its coordinator no longer has it: {@code lock}, {@code token}. */
    GONE,
    /** Its hold's listener was told of the loss: {@code lock}, {@code token}. */
    LOST,
    /** Writes: {@code write}, {@code lock}, {@code token}, {@code value}, and {@code read}, the write it builds on. */
    ATTEMPTED,
    /** Its write has been applied: {@code write}. */
    APPLIED,
    /** Its write was refused: {@code write}. */
    REFUSED,
    /** Its write may have been applied: {@code write}, {@code why}. */
    UNKNOWN,
    /** Its write was not applied: {@code write}, {@code why}. */
    FAILED,
    /** Adds one to the counter, once: {@code addition}. */
    ADDING,
    /** Its addition was applied, now or before: {@code addition}. */
    ADDED,
    /** Its addition was not applied, this time: {@code addition}, {@code why}. */
    NOT_ADDED,
    /** Has a number of the sequence: {@code number}. */
    NUMBERED,
    /**
     * Was told how a round of a barrier ended, or began or ended of a double one: {@code at}, {@code number}, {@code passed},
     * {@code parties}, of which it was {@code me}, and {@code asked}, a moment before it came.
     */
    TOLD_VERDICT,
    /** Is about to count down: {@code latch}, {@code id}. */
    COUNTING_DOWN,
    /** Has counted down: {@code latch}, {@code id}, and {@code asked}, a moment before it began. */
    COUNTED_DOWN,
    /** Was let go by a latch: {@code latch}, {@code counted}, the ids that it saw then, and {@code asked}, as above. */
    LET_GO,
    /** Is about to give an answer: {@code question}, {@code answer}. */
    ANSWERING,
    /** Has an answer: {@code question}, {@code answer}, and {@code asked}, a moment before it asked. */
    ANSWERED,
    /** Has looked at its membership, as {@link #LOOKED}; or it is out, with {@code remaining} 0: {@code member}. */
    MEMBER,
    /** Has read who is in the group: {@code members}, and {@code asked}, a moment before. */
    SAW_MEMBERS,
    /** Begins to release: {@code lock}, {@code token}. */
    RELEASING,
    /** Has released, as far as it knows: {@code lock}, {@code token}. */
    RELEASED,
    /** Something happened that should not: {@code why}. */
    TROUBLE,
    /** Has closed its coordinator, as told. */
    ENDED,

    // A candidate, or whoever stands in the same process.

    /** Its work begins: {@code term}, {@code remaining}. */
    ELECTED,
    /** Its work has ended, and does nothing more: {@code term}, {@code reason}, {@code remaining}. */
    STOPPED,
    /** Is about to resign. */
    RESIGNING,
    /** Is about to hand over: {@code to}. */
    HANDING_OVER,
    /** An observer is told: {@code term} and {@code id}, both empty if nobody leads. */
    SAW,
    /** An observer's client has waited this long for an answer, longer than before: {@code took}. */
    READ,

    // Whoever runs it all.

    /**
     * Begins a fault: {@code kind}, {@code target}, {@code millis}, {@code costs}, {@code round}. A fail-over that may lose
     * the latest writes also has {@code safe}: what was acknowledged before is kept; and {@code gone}: the former server
     * applied nothing after.
     */
    FAULT,
    /** Ends it: the same. */
    OVER,
    /** An operator is about to remove an entry by hand: {@code lock}, {@code token}. */
    EVICTING,
    /** All servers serve, and nothing disturbs them or the clients: {@code round}. */
    HEALED,
    /** Has killed a client process: {@code process}. */
    KILLED,
    /** A client process did not end when told: {@code process}. */
    UNFINISHED,
    /** A client process ended though nobody had told it: {@code process}. */
    DIED,
    /** The counter in the end: {@code lock}, {@code value}, {@code write}. */
    COUNTED,
    /** The counter to which all have added in the end: {@code value}. */
    SUMMED,
    /** Entries in line when all clients had gone: {@code lock}, {@code entries}. */
    LEFT;

    /** As it stands in a line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * What stands in a line.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static EventKind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
