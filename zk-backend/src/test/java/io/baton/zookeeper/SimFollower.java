package io.baton.zookeeper;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.zookeeper.RecordTruth.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Follows a tree of records. The states that it is told are states that the tree was in, in that order, at the revision
 * that it is told with them, unless the run allows to be told of parts.
 */
final class SimFollower implements RecordsListener {

    private final RecordTruth truth;
    private final SimProcess process;
    private final SimLoop thread;
    private final SimCounts counts;
    private final boolean exact;
    private final Map<String, String> state = new TreeMap<>();
    private final Map<String, Long> written = new HashMap<>();
    private Position at = new Position("", 0);
    private int index;
    private boolean begun;
    private boolean hadHistory;
    private AssertionError broken;

    /** Without {@code exact} it may be told of states that never were, but the last of them was. */
    SimFollower(RecordTruth truth, SimProcess process, SimLoop thread, SimCounts counts, boolean exact) {
        this.truth = truth;
        this.process = process;
        this.thread = thread;
        this.counts = counts;
        this.exact = exact;
    }

    @Override
    public void snapshot(Map<String, Item> all, Position now) {
        counts.add(begun ? "snapshots after a gap" : "first snapshots");
        if (begun && !now.history().equals(at.history())) {
            counts.add("histories that have changed");
        }
        boolean comparable = !now.history().isEmpty() && now.history().equals(at.history());
        check(!comparable || now.revision() >= at.revision(), "position " + now + " after " + at);
        begun = true;
        state.clear();
        at = now;
        hadHistory |= !now.history().isEmpty();
        all.values().forEach(this::put);
        told(true);
    }

    @Override
    public void changed(List<Item> put, List<String> gone, long revision) {
        counts.add(put.size() + gone.size() > 1 ? "batches of several" : "batches of one");
        check(begun, "a change before a snapshot");
        check(revision >= at.revision(), "revision " + revision + " after " + at);
        at = new Position(at.history(), revision);
        put.forEach(this::put);
        gone.forEach(state::remove);
        told(false);
    }

    private void put(Item item) {
        String name = item.key().name();
        long when = item.revision().order();
        check(when <= at.revision(), name + " was written after " + at);
        check(when >= written.getOrDefault(name, 0L), name + " has gone back");
        written.put(name, when);
        state.put(name, RecordTruth.value(item.text(), when));
    }

    private void told(boolean all) {
        List<State> states = truth.states();
        int next = index;
        while (next < states.size() && !isAt(states.get(next), all)) {
            next++;
        }
        if (next < states.size()) {
            index = next;
        } else if (exact) {
            check(false, "told of " + state + " at " + at + ", which never was after " + states.get(index));
        } else {
            counts.add("states told that never were");
        }
    }

    private boolean isAt(State real, boolean all) {
        return inHistory(real, all)
                && real.revision() == at.revision()
                && real.values().equals(state);
    }

    /** A tree that has not been there before has got its history since it was told that there is none. */
    private boolean inHistory(State real, boolean all) {
        return real.history().equals(at.history()) || !all && !hadHistory;
    }

    /** Whether it knows what is true now; it is not told where only the revision has risen. */
    boolean knowsTheLast() {
        State last = truth.last();
        return process.dead()
                || inHistory(last, false)
                        && at.revision() <= last.revision()
                        && last.values().equals(state);
    }

    /** Whether nothing was told that must not be told. */
    void checkSoFar() {
        if (broken != null) {
            throw broken;
        }
    }

    private void check(boolean claim, String otherwise) {
        if (!claim && broken == null) {
            thread.note("follower: " + otherwise);
            broken = new AssertionError(process.name() + "'s follower: " + otherwise);
        }
    }

    @Override
    public String toString() {
        return process.name() + "'s follower, who knows " + state + " at " + at;
    }
}
