package io.baton.chaos.candidate;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.chaos.history.EventKind;
import io.baton.election.Leadership;
import java.util.List;

/**
 * Writes the term into a record, again and again, guarded by the leadership and by nothing else: it does not look whether it
 * still leads, and ends when the store refuses a write.
 */
final class StubbornWriter implements Runnable {

    private static final long PAUSE_MILLIS = 10;

    private final String who;
    private final Coordinator baton;
    private final long term;
    private final Guard guard;
    private final RecordKey record;
    private final Printed notes;
    private int writes;

    StubbornWriter(String who, Coordinator baton, Leadership leadership, Printed notes) {
        this.who = who;
        this.baton = baton;
        this.term = leadership.term();
        this.guard = leadership.guard();
        this.record = baton.records("terms").key(leadership.election());
        this.notes = notes;
    }

    void start() {
        Thread thread = new Thread(this, "writer-" + term);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (write()) {
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException unexpected) {
            notes.note(who, EventKind.TROUBLE, "why", unexpected);
        }
    }

    /** False once refused. */
    private boolean write() throws InterruptedException {
        String id = term + "/" + ++writes;
        notes.note(who, EventKind.ATTEMPTED, "write", id, "term", term);
        try {
            boolean applied = baton.transact(List.of(guard), List.of(Op.put(record, Long.toString(term))));
            notes.note(who, applied ? EventKind.APPLIED : EventKind.REFUSED, "write", id, "term", term);
            return applied;
        } catch (CoordinationException failed) {
            notes.note(
                    who,
                    EventKind.FAILED,
                    "write",
                    id,
                    "term",
                    term,
                    "why",
                    failed.getClass().getSimpleName());
            return true;
        }
    }
}
