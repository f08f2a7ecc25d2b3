package io.baton.tck.sim.config;

import io.baton.tck.sim.lock.LockRun;
import java.util.Map;

/** A simulated store, as a run of configuration needs it. */
public interface ConfigWorld extends LockRun.Clients {

    /**
     * Somebody whose network is in order writes these records of the space in one transaction, without Baton. It may come to
     * nothing.
     *
     * @param texts by name; an empty one: it is deleted
     */
    void write(Map<String, String> texts);

    /** The faults have stopped. */
    void calm();
}
