package io.baton.election;

import java.util.concurrent.CompletionStage;

/** A leader's work without a thread; it differs from {@link ElectionListener} in how it ends and is stopped. */
@FunctionalInterface
public interface AsyncElectionListener {

    /**
     * Begins to lead; called where the coordinator's callbacks run. Only {@link Leadership#onStop} tells it to stop.
     *
     * @return a stage that completes, normally or not, when the work has stopped; null counts as a stage that fails
     * @throws Exception if it cannot begin; it counts as a stage that fails
     */
    CompletionStage<?> onElected(Leadership leadership) throws Exception;
}
