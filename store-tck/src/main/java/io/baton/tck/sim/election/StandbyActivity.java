package io.baton.tck.sim.election;

import io.baton.election.Leadership;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.SimProcess;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a simulated node may be active: from the call of the promotion hook until the demotion hook has
 * returned.
 */
final class StandbyActivity {

    private final SimNode node;
    private final Leadership leadership;
    private final @Nullable Entry entry;
    private final Duration stop;
    private Duration left;
    private boolean wasValid;
    private long safePauses;
    private boolean promoted;
    private boolean failed;
    private boolean stopping;
    private boolean unclean;
    private boolean fenced;
    private boolean excused;

    /**
     * Begins an activity.
     *
     * @param entry the node's entry, if it stands
     * @param stop how long stopping may take
     */
    StandbyActivity(SimNode node, Leadership leadership, @Nullable Entry entry, Duration stop) {
        this.node = node;
        this.leadership = leadership;
        this.entry = entry;
        this.stop = stop;
        this.left = leadership.remaining();
        this.safePauses = node.process().pauses();
    }

    SimNode node() {
        return node;
    }

    Leadership leadership() {
        return leadership;
    }

    long term() {
        return leadership.term();
    }

    @Nullable
    Entry entry() {
        return entry;
    }

    /** Records the remaining leadership. A process that was paused, or lost it at once, may be late. */
    void look() {
        SimProcess process = node.process();
        Duration before = left;
        left = leadership.remaining();
        wasValid = !before.isZero();
        boolean enough = left.compareTo(stop) >= 0;
        if (enough && !process.paused()) {
            safePauses = process.pauses();
        }
        boolean paused = process.paused() || process.pauses() != safePauses;
        boolean atOnce = before.compareTo(stop) >= 0 && left.compareTo(stop.dividedBy(2)) < 0;
        if (!enough && (paused || atOnce)) {
            excused = true;
        }
    }

    boolean valid() {
        return !leadership.remaining().isZero();
    }

    /** Whether it was certain to lead at the last look. */
    boolean wasValid() {
        return wasValid;
    }

    /** The promotion hook has returned. */
    void promoted() {
        promoted = true;
    }

    /** The promotion hook has failed. */
    void failed() {
        failed = true;
    }

    boolean hasFailed() {
        return failed;
    }

    /** The node begins to stop. */
    void stopping() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Whether it was promoted and is not stopping. */
    boolean isActive() {
        return promoted && !stopping;
    }

    /** The demotion hook has failed: no hook runs, but the node may still be active. */
    void unclean() {
        unclean = true;
        excused = true;
    }

    boolean isUnclean() {
        return unclean;
    }

    /** The node was fenced and has no more effects. */
    void fence() {
        fenced = true;
    }

    boolean isFenced() {
        return fenced;
    }

    /** The activity may overlap the next one, unless it is fenced. */
    void excuse() {
        excused = true;
    }

    boolean isExcused() {
        return excused;
    }

    @Override
    public String toString() {
        return node.id() + " at " + node.address() + ", term " + Long.toHexString(term()) + " (" + left + " left"
                + (promoted ? ", promoted" : "") + (stopping ? ", stopping" : "") + (unclean ? ", unclean" : "")
                + (fenced ? ", fenced" : "") + (excused ? ", excused" : "") + ")";
    }
}
