package io.baton.etcd;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows a tree of records. Each state that it is told of is one that the tree was in, at the position that it is told
 * with it, and later than the one before; between snapshots none is left out. Only where servers lose single events, and
 * after a backup was restored until there is a snapshot, a change may be told on top of what is not true any more.
 */
final class SimFollower implements RecordsListener {

    private final RecordTruth truth;
    private final SimProcess process;
    private final SimLoop thread;
    private final SimCounts counts;
    private final boolean lossy;
    private final Map<String, String> state = new TreeMap<>();
    private Position at = new Position("", 0);
    private int course;
    private boolean begun;
    private @Nullable AssertionError broken;

    /** If the servers are {@code lossy}, they lose single events. */
    SimFollower(RecordTruth truth, SimProcess process, SimLoop thread, SimCounts counts, boolean lossy) {
        this.truth = truth;
        this.process = process;
        this.thread = thread;
        this.counts = counts;
        this.lossy = lossy;
    }

    @Override
    public void snapshot(Map<String, Item> all, Position now) {
        counts.add(begun ? "snapshots after a gap" : "first snapshots");
        state.clear();
        all.forEach((name, item) -> state.put(name, RecordTruth.text(item)));
        int former = course;
        while (course <= truth.course() && !fits(now, former)) {
            course++;
        }
        check(
                course <= truth.course(),
                "a snapshot of " + state + " at " + now + " after " + at + ", when there was "
                        + truth.at(now.revision()));
        if (begun && course > former) {
            boolean seen = !now.history().equals(at.history()) || now.revision() < at.revision();
            counts.add(seen ? "restored backups seen" : "restored backups that are past what was known");
        }
        begun = true;
        at = now;
    }

    /** What two courses have in common they had before the backup was made. */
    private boolean fits(Position now, int former) {
        boolean goesBack = begun && course == former && now.revision() < at.revision();
        return !goesBack && truth.was(course, state, now);
    }

    @Override
    public void changed(List<Item> put, List<String> gone, long revision) {
        counts.add(put.size() + gone.size() > 1 ? "batches of several" : "batches of one");
        check(begun, "a change before a snapshot");
        check(revision > at.revision(), "a change at " + revision + " after " + at);
        put.forEach(item -> state.put(item.key().name(), RecordTruth.text(item)));
        gone.forEach(state::remove);
        boolean exact = !lossy && course == truth.course();
        check(
                !(exact && truth.changedBetween(at.revision(), revision)),
                "a change at " + revision + " after " + at + ", and nothing of those in between");
        at = new Position(at.history(), revision);
        check(
                !exact || truth.was(course, state, at),
                "told of " + state + " at " + at + ", when there was " + truth.at(revision));
    }

    /** Whether it knows what is true now. */
    boolean knowsTheLast() {
        return process.dead() || state.equals(truth.now());
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
