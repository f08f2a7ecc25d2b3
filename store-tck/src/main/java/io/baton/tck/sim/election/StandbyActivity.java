package io.baton.tck.sim.election;

import io.baton.election.Leadership;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.SimProcess;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a simulated node may be active: from the call of the hook that promotes until the one that
 * demotes has returned.
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
     * Begins.
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

    /** Looks at what is left of the leadership. A process that has stood still, or lost it all at once, may be late. */
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

    /** The hook that promotes has returned. */
    void promoted() {
        promoted = true;
    }

    /** The hook that promotes has failed. */
    void failed() {
        failed = true;
    }

    boolean hasFailed() {
        return failed;
    }

    /** It is being made an end of. */
    void stopping() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Whether it is active in every respect. */
    boolean isActive() {
        return promoted && !stopping;
    }

    /** The hook that demotes has failed: nothing of a hook runs, and the node may be active nevertheless. */
    void unclean() {
        unclean = true;
        excused = true;
    }

    boolean isUnclean() {
        return unclean;
    }

    /** It does no harm any more. */
    void fence() {
        fenced = true;
    }

    boolean isFenced() {
        return fenced;
    }

    /** It need not end before the next one begins, unless it is fenced. */
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
