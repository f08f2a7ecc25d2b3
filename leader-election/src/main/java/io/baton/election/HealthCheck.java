package io.baton.election;

/** Checks whether a node is fit to be the active node. */
@FunctionalInterface
public interface HealthCheck {

    /**
     * Checks. Called on a thread of its own, one at a time, and interrupted when it takes too long. It must not depend
     * on {@link io.baton.Coordinator#trouble()}, which contains this node's failures until a node is active.
     *
     * @return whether it is healthy; throwing, or taking too long, counts as false
     * @throws Exception if it is not
     */
    boolean isHealthy() throws Exception;
}
