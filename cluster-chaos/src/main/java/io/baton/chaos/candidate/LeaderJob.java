package io.baton.chaos.candidate;

import io.baton.Coordinator;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import io.baton.election.ElectionListener;
import io.baton.election.Leadership;

/** A leader's work: it is there until it is told to stop. */
final class LeaderJob implements ElectionListener {

    private final String who;
    private final Coordinator baton;
    private final Printed notes;
    private final boolean writes;

    LeaderJob(String who, Coordinator baton, Printed notes, boolean writes) {
        this.who = who;
        this.baton = baton;
        this.notes = notes;
        this.writes = writes;
    }

    @Override
    public void onElected(Leadership leadership) throws InterruptedException {
        long now = System.nanoTime();
        notes.note(
                Event.of(now, who, EventKind.ELECTED, "term", leadership.term(), "remaining", remaining(leadership)));
        if (writes) {
            new StubbornWriter(who, baton, leadership, notes).start();
        }
        try {
            leadership.awaitStop();
        } finally {
            notes.note(
                    who,
                    EventKind.STOPPED,
                    "term",
                    leadership.term(),
                    "reason",
                    leadership.stopReason().map(Enum::name).orElse(""),
                    "remaining",
                    remaining(leadership));
        }
    }

    private static long remaining(Leadership leadership) {
        return leadership.remaining().toNanos();
    }
}
