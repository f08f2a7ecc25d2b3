package io.baton.tck.sim.lock;

import io.baton.Coordinator;
import io.baton.RecordKey;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.Map;

/** A store in one simulated run: its servers, their faults, and its clients. */
public interface SimulatedStore {

    /**
     * The most by which a clock is fast or slow, in parts per million. Two clocks differ by less than the margin of 1
     * %.
     */
    int DRIFT_PPM = 4_500;

    /**
     * A coordinator.
     *
     * @param ttl the session timeout that it requests
     * @param close starts to close it
     */
    record Client(Coordinator coordinator, Duration ttl, Runnable close) {}

    /** Receives each state of a record tree. */
    interface States {
        /** The records by name, as of this revision. */
        void committed(long revision, Map<String, LockTruth.Written> records);
    }

    /** The simulation of the servers. */
    Simulation sim();

    /**
     * The servers' decisions about a line and a record.
     *
     * @param line the path below the root, as {@code elections/boss}
     */
    LockTruth truth(String line, RecordKey record);

    /**
     * Adds the faults of the servers, their clients' connections and this line. Must be called before the first client
     * starts.
     */
    void addFaults(SimFaults faults, String line, Interventions judge);

    /** Whether servers forget events in this run; defined once faults are added. */
    boolean forgetful();

    /** How long it may take after the last fault until all have reached the expected state. */
    Duration patience();

    /** Starts a client that runs on this loop, with callbacks on the other. */
    Client start(SimProcess process, SimLoop loop, SimLoop callbacks);

    /** Called when the faults have stopped. */
    void calm();

    /** Reports each state of this tree from now on. */
    void follow(String tree, States states);

    /**
     * Writes these records of the tree in one transaction, without Baton, from a client whose network has no faults.
     * The write may fail.
     *
     * @param texts the texts by name; an empty text deletes its record
     */
    void write(String tree, Map<String, String> texts);

    /** Adds the event counts of the servers. */
    void addTo(Map<String, Long> totals);
}
