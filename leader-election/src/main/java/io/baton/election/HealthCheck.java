package io.baton.election;

/** Tells whether a node is fit to be the active one. */
@FunctionalInterface
public interface HealthCheck {

    /**
     * Checks. Called on a thread of its own, one at a time, and interrupted when it takes too long.
     *
     * @return whether it is healthy; throwing, or taking too long, says no
     * @throws Exception if it is not
     */
    boolean isHealthy() throws Exception;
}
