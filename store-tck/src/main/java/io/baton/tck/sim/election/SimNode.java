package io.baton.tck.sim.election;

import io.baton.election.ActiveStandby;
import io.baton.election.ActiveStandby.State;
import io.baton.election.Breadcrumb;
import io.baton.election.LastResort;
import io.baton.election.Leadership;
import io.baton.election.StopReason;
import io.baton.election.WhenSuspended;
import io.baton.tck.sim.lock.SimulatedStore;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A node of a simulated election. Its hooks, fencer and health checks follow its {@link NodeHabits}. */
final class SimNode implements SimHands.Watch {

    private static final long MILLI = 1_000_000;

    private static final Map<State, Set<State>> NEXT = new EnumMap<>(Map.of(
            State.STANDBY, EnumSet.of(State.PROMOTING, State.CLOSED),
            State.PROMOTING, EnumSet.of(State.ACTIVE, State.DEMOTING, State.STANDBY),
            State.ACTIVE, EnumSet.of(State.DEMOTING),
            State.DEMOTING, EnumSet.of(State.STANDBY),
            State.CLOSED, EnumSet.noneOf(State.class)));

    private final StandbyInvariants invariants;
    private final SimProcess process;
    private final SimLoop thread;
    private final String id;
    private final String address;
    private final NodeHabits habits;
    private final SimHands hands;
    private final ActiveStandby standby;
    private final Spell sickness;
    private final Spell hanging;
    private final Spell failure;
    private final Spell fencer;
    private @Nullable State told;
    private @Nullable StandbyActivity activity;
    private SimHands.@Nullable Job promotion;
    private SimHands.@Nullable Job running;
    private @Nullable Leadership atWork;
    private @Nullable Leadership resorted;
    private @Nullable Breadcrumb fencing;
    private boolean sick;
    private boolean leaving;
    private boolean closed;
    private int activations;

    /**
     * Starts the node.
     *
     * @param loop the loop of the client
     * @param thread where callbacks run
     * @param address a distinct address for each node
     */
    SimNode(
            StandbyInvariants invariants,
            SimProcess process,
            SimLoop loop,
            SimLoop thread,
            SimulatedStore.Client client,
            String id,
            String address,
            SplittableRandom chance) {
        this.invariants = invariants;
        this.process = process;
        this.thread = thread;
        this.id = id;
        this.address = address;
        this.habits = new NodeHabits(client.ttl(), chance, invariants::isCalm);
        this.hands = new SimHands(process, loop, chance.split(), invariants::isCalm, this);
        this.sickness = new Spell(process);
        this.hanging = new Spell(process);
        this.failure = new Spell(process);
        this.fencer = new Spell(process);
        ActiveStandby.Builder builder = habits.limit(
                        ActiveStandby.builder(client.coordinator(), StandbyRun.ELECTION, id))
                .address(address)
                .onPromote(this::promote, habits.promote())
                .onDemote(this::demote, habits.demote())
                .health(this::isHealthy)
                .whenSuspended(chance.nextBoolean() ? WhenSuspended.STOP : WhenSuspended.RIDE_OUT)
                .lastResort(this::lastResort)
                .priority(chance.nextInt(4) == 0 ? chance.nextInt(1, 3) : 0)
                .priorityDelay(Duration.ofNanos(chance.nextLong(1_000 * MILLI, 8_000 * MILLI)));
        if (invariants.fencers()) {
            builder.fencer(this::fence, habits.fence());
        } else {
            builder.withoutFencer("the simulation knows what may go on");
        }
        this.standby = NodeBuilding.build(builder, hands);
        standby.start();
        standby.onState(state -> invariants.guard(() -> told(state)));
    }

    SimProcess process() {
        return process;
    }

    String id() {
        return id;
    }

    String address() {
        return address;
    }

    NodeHabits habits() {
        return habits;
    }

    /** The term that it believes to lead in, 0 if none. */
    long term() {
        return standby.status().term();
    }

    /** The current activity, or null. */
    @Nullable
    StandbyActivity activity() {
        return activity;
    }

    /** Whether the node is active and reports it. */
    boolean isActive() {
        return !process.dead() && standby.leadership().isPresent();
    }

    /** The number of its successful promotions. */
    int activations() {
        return activations;
    }

    /** Resigns its term, if it leads. */
    void resign() {
        standby.leadership().ifPresent(Leadership::resign);
    }

    /**
     * Hands over, as an active node in good times. If that fails and no other hand-over is under way, the node received
     * no stop signal for it.
     */
    CompletableFuture<Void> handOver(String to, Duration timeout) {
        Leadership term = standby.leadership().orElseThrow();
        note("hands over to " + to + ", term " + Long.toHexString(term.term()));
        CompletableFuture<Void> result = term.handOverAsync(to, timeout);
        result.whenComplete((done, failure) -> invariants.guard(() -> {
            boolean another =
                    failure != null && String.valueOf(failure.getMessage()).contains("is under way");
            invariants.must(
                    failure == null || another || !term.stopReason().equals(Optional.of(StopReason.HANDED_OVER)),
                    () -> id + " was told to stop for a hand-over that has failed: " + failure.getMessage());
        }));
        return result;
    }

    /** Makes the node unhealthy for this long. */
    void sicken(Duration time) {
        if (!process.dead()) {
            thread.note("is unwell for " + time);
            sick = true;
            thread.after(time, () -> sick = false);
        }
    }

    /** Its coordinator begins to close. */
    void leave() {
        leaving = true;
    }

    boolean leaving() {
        return leaving;
    }

    /** Closes the node, and then runs this in its process. */
    void close(Runnable then) {
        standby.closeAsync().whenComplete((done, failure) -> {
            closed = true;
            then.run();
        });
    }

    boolean closed() {
        return closed || process.dead();
    }

    // ---- hooks

    private void promote(Leadership leadership) {
        invariants.guard(() -> {
            note("is promoted, term " + Long.toHexString(leadership.term()));
            Course course = habits.promotion();
            atWork = leadership;
            promotion = running;
            StandbyActivity begun = invariants.promoting(this, leadership);
            activity = begun;
            if (habits.tooLong(SimHands.Kind.PROMOTE, course)) {
                begun.excuse();
            }
            hands.takes(course);
        });
    }

    private void demote(Leadership leadership) {
        invariants.guard(() -> {
            note("is demoted, term " + Long.toHexString(leadership.term()));
            StandbyActivity ending = activity;
            Course course = habits.demotion(ending != null && ending.isUnclean());
            atWork = leadership;
            if (ending != null && habits.tooLong(SimHands.Kind.DEMOTE, course)) {
                ending.excuse();
            }
            hands.takes(course);
        });
    }

    private void fence(Breadcrumb last) {
        invariants.guard(() -> {
            note("fences " + BreadcrumbTrail.Mark.of(last));
            fencing = last;
            invariants.fencing(this, last);
            hands.takes(habits.fencing(() -> invariants.guard(() -> invariants.fence(this, last))));
        });
    }

    private boolean isHealthy() {
        boolean well = !sick || invariants.isCalm();
        hands.takes(well ? habits.goodCheck() : habits.badCheck());
        return well;
    }

    private void lastResort(LastResort.Stuck work) {
        invariants.guard(() -> {
            note("takes the last resort for term "
                    + Long.toHexString(work.leadership().term()));
            invariants.must(
                    work.leadership() != resorted, () -> id + " takes the last resort twice for " + work.leadership());
            resorted = work.leadership();
            invariants.lastResort(this);
        });
    }

    private void told(State now) {
        thread.note("is " + now);
        State before = told;
        invariants.must(
                before == null || NEXT.getOrDefault(before, Set.of()).contains(now),
                () -> id + " is told that it is " + now + " after " + before);
        told = now;
    }

    private void note(String what) {
        thread.note(id + " " + what);
    }

    // ---- task events

    @Override
    public void begun(SimHands.Job job) {
        StandbyActivity ending = activity;
        if (job.kind() == SimHands.Kind.DEMOTE && ending != null) {
            ending.stopping();
        }
    }

    @Override
    public void entering(SimHands.Job job) {
        if (job.kind().isHook() || job.kind() == SimHands.Kind.FENCE) {
            SimHands.Job before = running;
            invariants.guard(() -> invariants.must(
                    before == null, () -> id + " begins to " + job.kind().text() + ", and something of it still runs"));
            running = job;
        }
    }

    @Override
    public void interrupted(SimHands.Job job) {
        StandbyActivity ending = activity;
        if (job == promotion && ending != null) {
            ending.stopping();
        }
        if (job == running) {
            invariants.count(job.kind() == SimHands.Kind.FENCE ? "fencers interrupted" : "hooks interrupted");
        }
    }

    @Override
    public void left(SimHands.Job job, @Nullable Throwable thrown) {
        if (job == running) {
            running = null;
        }
        invariants.guard(() -> {
            switch (job.kind()) {
                case PROMOTE -> promotionLeft(job, thrown);
                case DEMOTE -> demotionLeft(thrown);
                case FENCE -> fencerLeft(thrown);
                case HEALTH, LAST_RESORT -> {}
            }
        });
    }

    private void promotionLeft(SimHands.Job job, @Nullable Throwable thrown) {
        StandbyActivity present = activity;
        note("promotion: " + (thrown == null ? "done" : thrown));
        if (thrown == null && job == promotion && present != null) {
            activations++;
            present.promoted();
        } else if (job == promotion && present != null) {
            present.failed();
        }
        invariants.count(thrown == null ? "promotions that came to a good end" : "promotions that failed");
    }

    private void demotionLeft(@Nullable Throwable thrown) {
        StandbyActivity ending = activity;
        note("demotion: " + (thrown == null ? "done" : thrown));
        if (ending != null && thrown == null) {
            activity = null;
            invariants.count(ending.isUnclean() ? "demotions made good" : "demotions that came to a good end");
        } else if (ending != null) {
            ending.unclean();
            invariants.count("demotions that failed");
        }
    }

    private void fencerLeft(@Nullable Throwable thrown) {
        Breadcrumb last = fencing;
        note("fencing: " + (thrown == null ? "done" : thrown));
        if (thrown == null && last != null) {
            invariants.fenced(last);
        }
        invariants.count(thrown == null ? "fencings" : "fencings that failed");
    }

    // ---- checks

    /** Checks after a step that an unhealthy node is not active, and that hanging tasks are dealt with. */
    void look(long now) {
        StandbyActivity present = activity;
        boolean goesOn = present != null && !present.isStopping();
        Duration detected = habits.detection().plus(StandbyInvariants.SIGNAL);
        boolean unwell = sickness.lasts(sick && !invariants.isCalm(), now, detected);
        invariants.must(!unwell || !goesOn || leaving, () -> present + " is not fit, and goes on");
        SimHands.Job job = running;
        boolean hangs = job != null && job.kind().isHook() && job.isInterrupted() && resorted != atWork;
        boolean stuck = hanging.lasts(hangs && !leaving, now, habits.stop().plus(StandbyInvariants.RESORT));
        invariants.must(!stuck, () -> "nothing is done about a hook of " + id + " that does not return");
        boolean kept = job != null && job.kind() == SimHands.Kind.FENCE && job.isInterrupted();
        boolean leads = !process.dead() && standby.state() == State.PROMOTING;
        // A stop signal may interrupt it a second time.
        Duration givenUp = habits.grace().multipliedBy(2).plus(StandbyInvariants.SIGNAL);
        invariants.must(
                !fencer.lasts(kept && leads && !leaving, now, givenUp),
                () -> id + " keeps the lead while its fencer hangs");
        boolean failed = present != null && present.hasFailed() && !present.isStopping();
        invariants.must(
                !failure.lasts(failed, now, StandbyInvariants.SIGNAL) || leaving,
                () -> present + " could not be promoted, and is not demoted");
        Optional<Leadership> shown = process.dead() ? Optional.empty() : standby.leadership();
        invariants.must(
                shown.isEmpty() || (present != null && present.isActive()),
                () -> id + " says that it is active, and is not: " + present);
        invariants.must(
                shown.flatMap(Leadership::stopReason).isEmpty(),
                () -> id + " shows its leadership, and was told to stop: " + present);
    }

    @Override
    public String toString() {
        return id + " at " + address;
    }
}
