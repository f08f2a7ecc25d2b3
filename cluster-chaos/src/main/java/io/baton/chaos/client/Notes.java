package io.baton.chaos.client;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.FencingToken;
import io.baton.chaos.history.HistoryFile;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.GroupMembership;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** One contender's part of its process's history. Any thread. */
final class Notes {

    private final HistoryFile file;
    private final String who;
    private final AtomicInteger asks = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();

    Notes(HistoryFile file, String who) {
        this.file = file;
        this.who = who;
    }

    /** Whose they are. */
    String who() {
        return who;
    }

    void note(EventKind what, Object... details) {
        file.note(who, what, details);
    }

    /** An id for something asked for. */
    String nextAsk() {
        return who + "/" + asks.incrementAndGet();
    }

    /** An id for a write; no other write of the run has it. */
    String nextWrite() {
        return who + "/" + writes.incrementAndGet();
    }

    /** Looks at a hold for the first time. */
    void granted(String ask, Hold hold, List<Object> more) {
        long before = System.nanoTime();
        long remaining = hold.remaining().toNanos();
        long after = System.nanoTime();
        List<Object> details = new ArrayList<>(List.of(
                "ask",
                ask,
                "lock",
                hold.name(),
                "token",
                FencingToken.of(hold),
                "remaining",
                remaining,
                "seen",
                after));
        details.addAll(more);
        file.note(Event.of(before, who, EventKind.GRANTED, details.toArray()));
    }

    /** Looks at a hold again. */
    HoldState looked(Hold hold) {
        long before = System.nanoTime();
        long remaining = hold.remaining().toNanos();
        long after = System.nanoTime();
        HoldState state = hold.state();
        file.note(Event.of(
                before,
                who,
                EventKind.LOOKED,
                "lock",
                hold.name(),
                "token",
                FencingToken.of(hold),
                "state",
                state,
                "remaining",
                remaining,
                "seen",
                after));
        return state;
    }

    /** Was told how a round of a barrier ended at which it had arrived before. */
    void verdict(String at, long arrived, BarrierRound round) {
        note(
                EventKind.TOLD_VERDICT,
                "at",
                at,
                "number",
                round.number(),
                "passed",
                round.passed(),
                "parties",
                String.join(",", round.parties()),
                "me",
                round.me(),
                "asked",
                arrived);
    }

    /** Looks at a membership. */
    void looked(GroupMembership me) {
        long before = System.nanoTime();
        long remaining = me.remaining().toNanos();
        long after = System.nanoTime();
        file.note(Event.of(before, who, EventKind.MEMBER, "member", me.id(), "remaining", remaining, "seen", after));
    }

    /** It was lost, or is about to end. */
    void outOfGroup(GroupMembership me) {
        long now = System.nanoTime();
        file.note(Event.of(now, who, EventKind.MEMBER, "member", me.id(), "remaining", 0, "seen", now));
    }

    void aboutHold(EventKind what, Hold hold) {
        note(what, "lock", hold.name(), "token", FencingToken.of(hold));
    }
}
