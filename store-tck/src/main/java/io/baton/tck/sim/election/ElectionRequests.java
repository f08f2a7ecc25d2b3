package io.baton.tck.sim.election;

import io.baton.OutcomeUnknownException;
import io.baton.election.HandOverException;
import io.baton.election.Pause;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The hand-overs and pauses requested in a simulated election, and their outcomes. */
final class ElectionRequests {

    private final Simulation sim;
    private final List<SimProcess> handingOver = new ArrayList<>();
    private int handOvers;
    private int handOversRefused;
    private int pauses;
    private int resumes;
    private int resumesEnded;
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
            boolean expected = failure instanceof HandOverException || failure instanceof OutcomeUnknownException;
            sim.check(expected, "a hand-over failed with " + failure);
            handOversRefused++;
        }
    }

    /** Whether no living process waits for the result of a hand-over. */
    boolean handOversEnded() {
        return handingOver.stream().allMatch(SimProcess::dead);
    }

    /** How often a request to resume the election has been answered. */
    int resumesEnded() {
        return resumesEnded;
    }

    /**
     * Records a pause. It is certain only if each request to resume had been answered when the pause was requested, and
     * none has begun since. Otherwise the reported pause may be an earlier one.
     *
     * @param resumesBefore {@link #resumesEnded} when the pause was requested
     */
    void paused(Pause now, int resumesBefore) {
        if (resumes == resumesBefore) {
            pause = now;
            pauses++;
        }
    }

    /** Records a request to resume. No pause is certain until it is answered, or ever if it is not. */
    void resuming() {
        pause = null;
        resumes++;
    }

    void resumed() {
        resumesEnded++;
    }

    /** Whether a certain pause names another candidate, so that this one must not begin to lead. */
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

    /** The failure's message, without parts that differ between machines or runs. */
    static String reason(Throwable failure) {
        return String.valueOf(failure.getMessage()).replaceAll("host \\S+, pid \\d+", "a process");
    }
}
