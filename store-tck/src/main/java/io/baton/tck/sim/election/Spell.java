package io.baton.tck.sim.election;

import io.baton.testkit.sim.SimProcess;
import java.time.Duration;

/** Measures how long a condition has held without a break, while its process ran all the time. */
final class Spell {

    private final SimProcess process;
    private long since = -1;
    private long pausesBefore;

    Spell(SimProcess process) {
        this.process = process;
        this.pausesBefore = process.pauses();
    }

    /** Records the condition at virtual time {@code now}; returns whether it has held for longer than this. */
    boolean lasts(boolean so, long now, Duration limit) {
        long pauses = process.pauses();
        if (!so || process.paused() || pauses != pausesBefore) {
            since = -1;
        } else if (since < 0) {
            since = now;
        }
        pausesBefore = pauses;
        return since >= 0 && now - since > limit.toNanos();
    }
}
