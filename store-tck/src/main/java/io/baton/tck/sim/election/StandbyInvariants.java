package io.baton.tck.sim.election;

import io.baton.election.Breadcrumb;
import io.baton.election.Leadership;
import io.baton.tck.sim.lock.Interventions;
import io.baton.tck.sim.lock.LockTruth;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The invariants of active and standby nodes in a simulated run. A node is promoted only after every other one that may
 * have been active was demoted or fenced. It is demoted while it still leads. A node that was demoted cleanly is not
 * fenced. Truth is what the store has decided, and what hooks and fencers have done.
 */
public final class StandbyInvariants implements Interventions {

    /** The time within which a running node begins to stop once it has noticed the reason. */
    static final Duration SIGNAL = Duration.ofMillis(300);

    /** The time by which the last resort may exceed stopping, including a retry for lack of a thread. */
    static final Duration RESORT = Duration.ofSeconds(2);

    /** If an entry cannot be read, its hold is given up after a session timeout, which is at least this long. */
    private static final long LEAST_TIMEOUT_NANOS = 1_000_000_000;

    private final Simulation sim;
    private final LockTruth truth;
    private final ElectionRequests requests;
    private final boolean fencers;
    private final BreadcrumbTrail trail;
    private final PowerSwitch power;
    private final SimCounts counts = new SimCounts();
    private final List<SimNode> nodes = new ArrayList<>();
    private final Set<Long> byHand = new HashSet<>();
    private final Set<Long> promoted = new HashSet<>();
    private Consumer<SimProcess> whenOff = process -> {};
    private boolean calm;
    private boolean undisturbed;
    private long version = -1;
    private long newest;
    private @Nullable Throwable broken;

    /**
     * Checks after every step from now on.
     *
     * @param truth the election's line; its record is the breadcrumb
     */
    public StandbyInvariants(Simulation sim, LockTruth truth) {
        this.sim = sim;
        this.truth = truth;
        this.requests = new ElectionRequests(sim);
        var chance = sim.chance();
        this.fencers = chance.nextInt(4) > 0;
        this.power = new PowerSwitch(chance.nextBoolean(), this::switchOff);
        this.trail = new BreadcrumbTrail(sim, truth, fencers, new BreadcrumbTrail.Nodes() {
            @Override
            public boolean mayBeActive(String address) {
                return activities().stream()
                        .anyMatch(each ->
                                !each.isFenced() && each.node().address().equals(address));
            }

            @Override
            public void replaced(BreadcrumbTrail.Mark mark) {
                activities().stream()
                        .filter(each -> BreadcrumbTrail.Mark.of(each).equals(mark) && each.isExcused())
                        .forEach(StandbyActivity::fence);
            }
        });
        sim.afterEveryStep(this::check);
    }

    /** Whether nodes have fencers in this run. */
    boolean fencers() {
        return fencers;
    }

    /** The hand-overs and pauses that were requested. */
    ElectionRequests requests() {
        return requests;
    }

    /** Runs a callback; an exception fails the run, though callbacks may throw. */
    void guard(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            broken = broken == null ? thrown : broken;
        }
    }

    /** Fails the run unless the claim holds. */
    void must(boolean claim, Supplier<String> otherwise) {
        sim.check(claim, otherwise);
    }

    void count(String what) {
        counts.add(what);
    }

    // ---- interventions

    @Override
    public void deletedByHand(long token) {
        byHand.add(token);
    }

    @Override
    public void endingByHand(long session) {
        endedByHand(session);
    }

    @Override
    public void endedByHand(long session) {
        truth.line().stream().filter(entry -> entry.session() == session).forEach(entry -> byHand.add(entry.token()));
    }

    @Override
    public boolean valid(long token) {
        return activities().stream().anyMatch(each -> each.term() == token && each.valid());
    }

    // ---- the run

    void add(SimNode node) {
        nodes.add(node);
        power.add(node);
    }

    /** Sets the callback for processes that are switched off. */
    void whenOff(Consumer<SimProcess> to) {
        whenOff = to;
    }

    private void switchOff(SimProcess process) {
        if (!process.dead()) {
            process.kill();
            whenOff.accept(process);
        }
    }

    /** From now on hooks, fencers and health checks of all nodes succeed. */
    void calm() {
        calm = true;
    }

    boolean isCalm() {
        return calm;
    }

    /** From now on a node is active, and no node may be fenced. */
    void undisturbed() {
        undisturbed = true;
    }

    // ---- nodes

    /** A node's promotion hook is called. */
    StandbyActivity promoting(SimNode node, Leadership leadership) {
        long term = leadership.term();
        count("promotions");
        must(leadership.stopReason().isEmpty(), () -> node + " is promoted, and was told to stop: " + leadership);
        must(promoted.add(term), () -> node + " is promoted twice in term " + Long.toHexString(term));
        must(
                leadership.remaining().compareTo(node.habits().stop()) >= 0,
                () -> node + " is promoted with " + leadership.remaining() + " left, and stopping takes "
                        + node.habits().stop());
        StandbyActivity before = node.activity();
        must(
                before == null || before.isFenced(),
                () -> node + " is promoted, and its last promotion was not made good: " + before);
        Entry entry = truth.line().stream()
                .filter(each -> each.token() == term)
                .findAny()
                .orElse(null);
        var activity =
                new StandbyActivity(node, leadership, entry, node.habits().stop());
        power.fence(activity);
        if (trail.wasReplaced(BreadcrumbTrail.Mark.of(activity))) {
            activity.fence();
        }
        boolean regular = !byHand.contains(term) && !activity.isFenced();
        if (regular) {
            checkRegular(activity);
        }
        for (StandbyActivity other : activities()) {
            boolean mayOverlap =
                    !fencers && (other.isExcused() || byHand.contains(other.term()) || byHand.contains(term));
            must(
                    other.node() == node || other.isFenced() || activity.isFenced() || mayOverlap,
                    () -> activity + " is promoted, and another one may be active: " + other);
        }
        newest = Math.max(newest, term);
        return activity;
    }

    /** Checks an activity whose entry was not removed by hand, so the node leads. */
    private void checkRegular(StandbyActivity activity) {
        must(activity.term() > newest, () -> activity + " is promoted after term " + Long.toHexString(newest));
        BreadcrumbTrail.Mark crumb = trail.present();
        must(
                BreadcrumbTrail.Mark.of(activity).equals(crumb),
                () -> activity + " is promoted, and the breadcrumb is " + crumb);
        must(
                !requests.barred(activity.node().id()),
                () -> activity + " is promoted while the election is paused for another one");
    }

    /** A node's fencer is called. */
    void fencing(SimNode node, Breadcrumb last) {
        must(!last.address().equals(node.address()), () -> node + " fences itself");
        must(!undisturbed, () -> node + " fences " + last + " though all went well");
        long term = node.term();
        must(
                byHand.contains(term) || truth.line().stream().anyMatch(each -> each.token() == term),
                () -> node + " fences " + last + " and leads no more, in term " + Long.toHexString(term));
        trail.fencing(BreadcrumbTrail.Mark.of(last));
    }

    /** A fencer takes effect. */
    void fence(SimNode by, Breadcrumb last) {
        power.use(by.process(), last);
    }

    /** A fencer has returned. */
    void fenced(Breadcrumb last) {
        trail.fenced(BreadcrumbTrail.Mark.of(last));
    }

    void lastResort(SimNode node) {
        count("last resorts");
        if (node.habits().halts()) {
            count("processes halted");
            switchOff(node.process());
        }
    }

    // ---- checks

    private List<StandbyActivity> activities() {
        return nodes.stream()
                .filter(node -> !node.process().dead())
                .map(SimNode::activity)
                .filter(Objects::nonNull)
                .toList();
    }

    private void check() {
        Throwable failure = broken;
        if (failure != null) {
            throw new AssertionError(failure.getMessage(), failure);
        }
        nodes.removeIf(node -> node.process().dead());
        boolean changed = version != truth.version();
        version = truth.version();
        for (SimNode node : nodes) {
            node.look(sim.now());
            StandbyActivity activity = node.activity();
            if (activity != null) {
                look(activity, changed);
            }
        }
        if (changed) {
            trail.look();
        }
        long leading = nodes.stream()
                .filter(SimNode::isActive)
                .map(SimNode::activity)
                .filter(each -> each != null && each.valid() && !byHand.contains(each.term()))
                .count();
        must(leading <= 1, () -> "several are active at once: " + activities());
    }

    private void look(StandbyActivity activity, boolean changed) {
        if (truth.unseenNanos() >= LEAST_TIMEOUT_NANOS || byHand.contains(activity.term())) {
            activity.excuse();
        }
        activity.look();
        must(
                activity.isExcused() || activity.isFenced() || activity.valid(),
                () -> activity + " leads no more, and was not demoted in time");
        Entry entry = activity.entry();
        if (changed
                && entry != null
                && activity.wasValid()
                && !activity.isUnclean()
                && !activity.node().leaving()) {
            must(
                    byHand.contains(activity.term()) || truth.stands(entry) || !truth.alive(entry.session()),
                    () -> activity + " has left the line before it was demoted");
        }
    }

    /** Checks the end of a run, after all nodes were closed and settled. */
    void checkEnd() {
        must(truth.line().isEmpty(), () -> "left in the line: " + truth.line());
        must(activities().stream().allMatch(StandbyActivity::isFenced), () -> "still active: " + activities());
        must(trail.present() == null, () -> "the breadcrumb is left: " + trail.present());
    }

    /** The number of promotions. */
    public int promotions() {
        return promoted.size();
    }

    /** Adds its event counts. */
    void addTo(Map<String, Long> totals) {
        counts.addTo(totals);
        totals.merge("breadcrumbs removed", trail.cleanly(), Long::sum);
        totals.merge("breadcrumbs replaced by another node", trail.uncleanly(), Long::sum);
        totals.merge("handed over", (long) requests.handOvers(), Long::sum);
        totals.merge("handing over refused", (long) requests.handOversRefused(), Long::sum);
        totals.merge("pauses", (long) requests.pauses(), Long::sum);
    }
}
