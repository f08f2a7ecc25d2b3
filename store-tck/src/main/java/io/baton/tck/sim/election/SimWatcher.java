package io.baton.tck.sim.election;

import io.baton.Coordinator;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Observes the leader, and checks the events. */
final class SimWatcher {

    static final long NOBODY = 0;

    private final ElectionInvariants invariants;
    private final SimProcess process;
    private final SimLoop thread;
    private final boolean inOrder;
    private final List<Long> told = new ArrayList<>();
    private long newest;
    private int before;

    /** Without {@code inOrder}, it may learn of a leader after its successors, since events may be lost. */
    SimWatcher(
            ElectionInvariants invariants,
            SimProcess process,
            SimLoop thread,
            Coordinator coordinator,
            boolean inOrder) {
        this.invariants = invariants;
        this.process = process;
        this.thread = thread;
        this.inOrder = inOrder;
        LeaderElection.named(coordinator, ElectionRun.ELECTION)
                .observe()
                .onChange(leader -> invariants.guard(() -> told(leader)));
    }

    private void told(Optional<Leader> leader) {
        long now = leader.map(Leader::term).orElse(NOBODY);
        thread.note("sees " + (now == NOBODY ? "nobody" : Long.toHexString(now)));
        long last = told.isEmpty() ? -1 : told.get(told.size() - 1);
        if (now == last) {
            throw new AssertionError(process.name() + " was told " + Long.toHexString(now) + " twice");
        }
        if (inOrder && now != NOBODY && now <= newest) {
            throw new AssertionError(
                    process.name() + " was told " + Long.toHexString(now) + " after " + Long.toHexString(newest));
        }
        leader.ifPresent(invariants::seen);
        newest = Math.max(newest, now);
        told.add(now);
    }

    /** From now on it must see every leader. */
    void calm() {
        before = Math.max(0, told.size() - 1);
    }

    /** Whether it is up to date. */
    boolean seesHead() {
        return process.dead() || (!told.isEmpty() && told.get(told.size() - 1) == invariants.head());
    }

    /** Whether it has seen all these heads, in this order. */
    boolean sawAll(List<Long> heads) {
        int at = before;
        for (long each : heads) {
            while (at < told.size() && told.get(at) != each) {
                at++;
            }
            if (at == told.size()) {
                return false;
            }
        }
        return true;
    }

    int changes() {
        return told.size();
    }

    @Override
    public String toString() {
        return process.name() + ", which saw " + told.subList(before, told.size());
    }
}
