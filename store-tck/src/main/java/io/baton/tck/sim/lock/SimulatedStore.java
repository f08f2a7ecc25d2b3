package io.baton.tck.sim.lock;

import io.baton.Coordinator;
import io.baton.RecordKey;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.Map;

/** A store in one simulated run: its servers, what can befall them, and its clients. */
public interface SimulatedStore {

    /** How many millionths a clock may be too fast or too slow: two differ by less than the 1 % that the margin allows. */
    int DRIFT_PPM = 4_500;

    /**
     * A coordinator.
     *
     * @param ttl the session timeout that it asks for
     * @param close begins to close it
     */
    record Client(Coordinator coordinator, Duration ttl, Runnable close) {}

    /** Hears of each state that a tree of records comes to. */
    interface States {
        /** The records by their names, as they are from this revision on. */
        void committed(long revision, Map<String, LockTruth.Written> records);
    }

    /** The world that the servers are in. */
    Simulation sim();

    /**
     * What the servers have decided of a line and a record.
     *
     * @param line below the root, as {@code elections/boss}
     */
    LockTruth truth(String line, RecordKey record);

    /** Adds what can befall the servers, their clients' connections and this line. It comes before the first client. */
    void addFaults(SimFaults faults, String line, Interventions judge);

    /** Whether servers forget to tell of events in this run, which is known once there are faults. */
    boolean forgetful();

    /** How long it may take after the last fault until everybody has come to what is expected. */
    Duration patience();

    /** Starts a client that runs on this loop and calls back on the other. */
    Client start(SimProcess process, SimLoop loop, SimLoop callbacks);

    /** The faults have stopped. */
    void calm();

    /** Tells of each state that this tree comes to from now on. */
    void follow(String tree, States states);

    /**
     * Somebody whose network is in order writes these records of the tree in one transaction, without Baton. It may come to
     * nothing.
     *
     * @param texts by name; an empty one: it is deleted
     */
    void write(String tree, Map<String, String> texts);

    /** Adds how often what has happened to the servers. */
    void addTo(Map<String, Long> totals);
}
