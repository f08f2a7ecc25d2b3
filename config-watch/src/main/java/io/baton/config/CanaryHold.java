package io.baton.config;

import io.baton.Coordinator;

/** Marks a canary as held when an instance has rejected it: it goes no further then. Keeps trying until closed. Any thread. */
final class CanaryHold implements AutoCloseable {

    private CanaryHold() {}

    /** For the canaries of this space. */
    static CanaryHold open(Coordinator baton, String tree) {
        return new CanaryHold();
    }

    /**
     * Marks it, unless it is marked or gone.
     *
     * @param canary its id
     * @param why for people, naming the instance; without secrets
     */
    void hold(String canary, String why) {}

    /** Gives up what it has not done. Does not wait. Idempotent. */
    @Override
    public void close() {}
}
