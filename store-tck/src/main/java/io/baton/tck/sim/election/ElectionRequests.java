package io.baton.tck.sim.election;

import io.baton.election.HandOverException;
import io.baton.election.Pause;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The hand-overs and pauses that were asked for in a simulated election, and what became of them. */
final class ElectionRequests {

    private final Simulation sim;
    private final List<SimProcess> handingOver = new ArrayList<>();
    private int handOvers;
    private int handOversRefused;
    private int pauses;
    private int resuming;
    private @Nullable Pause pause;

    ElectionRequests(Simulation sim) {
        this.sim = sim;
    }

    void handOverBegun(SimProcess process) {
        handingOver.add(process);
    }

    void handOverEnded(SimProcess process, @Nullable Throwable failure) {
        handingOver.remove(process);
        if (failure == null) {
            handOvers++;
        } else {
            sim.check(failure instanceof HandOverException, "a hand-over failed with " + failure);
            handOversRefused++;
        }
    }

    /** Whether no living process waits for the result of a hand-over. */
    boolean handOversEnded() {
        return handingOver.stream().allMatch(SimProcess::dead);
    }

    /** The election is paused, and for certain if no process is about to resume it. */
    void paused(Pause now) {
        if (resuming == 0) {
            pause = now;
            pauses++;
        }
    }

    /** From now on it may be resumed: until that has been answered, and for good if it never is. */
    void resuming() {
        pause = null;
        resuming++;
    }

    void resumed() {
        resuming--;
    }

    /** Whether a pause that is certain names another candidate than this one, which then must not begin to lead. */
    boolean barred(String id) {
        Pause now = pause;
        return now != null && now.leader().isPresent() && !now.leader().get().equals(id);
    }

    int handOvers() {
        return handOvers;
    }

    int handOversRefused() {
        return handOversRefused;
    }

    int pauses() {
        return pauses;
    }
}
