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
    private int resumes;
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

    /** How often it was begun to resume the election. */
    int resumes() {
        return resumes;
    }

    /**
     * The election is paused; for certain if no process is about to resume it, nor has been since that was asked for: then it
     * may be a former pause that is told of.
     *
     * @param resumesBefore {@link #resumes} when it was asked for
     */
    void paused(Pause now, int resumesBefore) {
        if (resuming == 0 && resumes == resumesBefore) {
            pause = now;
            pauses++;
        }
    }

    /** From now on it may be resumed: until that has been answered, and for good if it never is. */
    void resuming() {
        pause = null;
        resuming++;
        resumes++;
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

    /** What went wrong, without what differs from one machine, or run, to the next. */
    static String reason(Throwable failure) {
        return String.valueOf(failure.getMessage()).replaceAll("host \\S+, pid \\d+", "a process");
    }
}
