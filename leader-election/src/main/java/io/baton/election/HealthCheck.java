package io.baton.election;

/** Checks whether a node is fit to be the active node. */
@FunctionalInterface
public interface HealthCheck {

    /**
     * Checks. Called on a thread of its own, one at a time, and interrupted when it takes too long.
     *
     * @return whether it is healthy; throwing, or taking too long, counts as false
     * @throws Exception if it is not
     */
    boolean isHealthy() throws Exception;
}
