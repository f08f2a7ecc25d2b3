package io.baton.tck.sim.election;

import io.baton.election.Breadcrumb;
import io.baton.tck.sim.lock.LockTruth;
import io.baton.tck.sim.lock.LockTruth.Written;
import io.baton.testkit.sim.Simulation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows the breadcrumb in the store. It is removed only after its author was demoted, and replaced by another only
 * after its author was fenced.
 */
final class BreadcrumbTrail {

    private final Simulation sim;
    private final LockTruth truth;
    private final boolean fencers;
    private final Nodes nodes;
    private final Set<Mark> fenced = new HashSet<>();
    private final Set<Mark> swept = new HashSet<>();
    private final Set<Mark> replaced = new HashSet<>();
    private @Nullable Mark present;
    private long revision = -1;
    private long cleanly;
    private long uncleanly;

    /** Address and term of a breadcrumb. Each node has its own address. */
    record Mark(String address, long term) {

        static Mark of(Breadcrumb crumb) {
            return new Mark(crumb.address(), crumb.term());
        }

        /** The breadcrumb of a node in this activity. */
        static Mark of(StandbyActivity activity) {
            return new Mark(activity.node().address(), activity.term());
        }

        @Override
        public String toString() {
            return address + "'s of term " + Long.toHexString(term);
        }
    }

    /** The nodes as the trail sees them. */
    interface Nodes {
        /** Whether the node with this address is alive and may be active. */
        boolean mayBeActive(String address);

        /** Called when another node's breadcrumb has replaced this one. */
        void replaced(Mark mark);
    }

    /**
     * Starts an empty trail.
     *
     * @param truth its record is the breadcrumb
     * @param fencers whether nodes have fencers; without them, a node replaces another's breadcrumb at once
     */
    BreadcrumbTrail(Simulation sim, LockTruth truth, boolean fencers, Nodes nodes) {
        this.sim = sim;
        this.truth = truth;
        this.fencers = fencers;
        this.nodes = nodes;
    }

    /** The present breadcrumb; null if there is none. */
    @Nullable
    Mark present() {
        look();
        return present;
    }

    /** Reads the record, which may have changed. */
    void look() {
        Written record = truth.record();
        long now = record == null ? -1 : record.revision();
        if (now != revision) {
            revision = now;
            Mark before = present;
            present = record == null ? null : decode(record.value());
            if (before != null) {
                changed(before, present);
            }
        }
    }

    private void changed(Mark before, @Nullable Mark now) {
        boolean same = now != null && now.address().equals(before.address());
        if (now == null || same) {
            sim.check(
                    !nodes.mayBeActive(before.address()),
                    () -> "the breadcrumb " + before + (now == null ? " is gone" : " is written anew")
                            + ", and that node may be active");
        }
        if (now == null) {
            sim.note("store", "breadcrumb removed: " + before);
            swept.add(before);
            cleanly++;
        } else {
            sim.note("store", "breadcrumb " + before + " replaced: " + now);
            uncleanly += same ? 0 : 1;
            sim.check(
                    same || !fencers || fenced.contains(before),
                    () -> "the breadcrumb " + now + " is in the place of " + before + ", which was not fenced");
            if (!same) {
                replaced.add(before);
                nodes.replaced(before);
            }
        }
    }

    /** Whether another node's breadcrumb ever replaced this one. */
    boolean wasReplaced(Mark mark) {
        return replaced.contains(mark);
    }

    /** Called when a fencer is called for this breadcrumb. */
    void fencing(Mark last) {
        sim.check(
                !swept.contains(last), () -> last.address() + " is to be fenced, and was demoted cleanly in that term");
    }

    /** Called when a fencer has returned. */
    void fenced(Mark last) {
        fenced.add(last);
    }

    /** How often a node removed its own breadcrumb. */
    long cleanly() {
        return cleanly;
    }

    /** How often another node's breadcrumb replaced one. */
    long uncleanly() {
        return uncleanly;
    }

    private static Mark decode(String text) {
        Map<String, String> lines = new HashMap<>();
        text.lines().forEach(line -> lines.put(line.replaceFirst("=.*", ""), line.replaceFirst("[^=]*=", "")));
        return new Mark(lines.getOrDefault("address", ""), Long.parseLong(lines.getOrDefault("term", "0")));
    }
}
