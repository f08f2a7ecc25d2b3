package io.baton.election;

import java.util.concurrent.CompletionStage;

/** A leader's work that needs no thread: as {@link ElectionListener}, but for how it ends and how it is told to. */
@FunctionalInterface
public interface AsyncElectionListener {

    /**
     * Begins to lead; called where the coordinator's callbacks run. It is told to stop by {@link Leadership#onStop} only.
     *
     * @return completes, in whatever way, when the work has stopped
     * @throws Exception if it cannot begin: as a stage that fails
     */
    CompletionStage<?> onElected(Leadership leadership) throws Exception;
}
