package io.baton.election;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.standby.HealthRules;
import io.baton.election.internal.standby.HookExecutor;
import io.baton.election.internal.standby.StandbyDescription;
import io.baton.election.internal.standby.StandbyNode;
import io.baton.election.internal.standby.StandbySetup;
import io.baton.election.internal.standby.StandbyTimings;
import io.baton.election.internal.standby.ThreadHands;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node of a service in which one node is active at a time and the others stand by.
 *
 * <pre>{@code
 * ActiveStandby node = ActiveStandby.builder(baton, "ledger", "node-1")
 *         .address("10.1.2.3:8080")
 *         .onPromote(leadership -> ledger.open(leadership), Duration.ofSeconds(5))
 *         .onDemote(leadership -> ledger.shut(), Duration.ofSeconds(1))
 *         .health(ledger::isHealthy)
 *         .fencer(
 *                 last -> {
 *                     if (!last.address().equals("10.1.2.3:8080")) { // an earlier process of this machine has ended
 *                         power.off(last.address());
 *                     }
 *                 },
 *                 Duration.ofSeconds(10))
 *         .start();
 * }</pre>
 *
 * <p><b>Guarantees.</b> A node is promoted only as leader of the election of this name, and while it is healthy. Every
 * other node that may have been active has been demoted before, and recorded so in the store, or has been fenced. A
 * demotion begins while the node is still certain to lead for as long as it may take; timings that do not allow this
 * are refused. Listeners get transitions once and in order. Hooks and the fencer of one node never run at the same
 * time.
 *
 * <p><b>Not guaranteed.</b> A process that was frozen may act between waking up and its demotion. The fencer, and
 * writes with the leadership's guard or term, protect against that. {@link #describe()} says what a configuration
 * relies on.
 *
 * <p><b>By hand.</b> {@code LeaderElection.named(baton, name).handOver(id, timeout)}, or {@code baton elect
 * --hand-over-to}, makes a healthy standby node active. The active node is demoted first, and no node is fenced. {@link
 * StandbyAdmin} and {@code baton standby} show all nodes, wake those that wait after a failure, and remove the
 * breadcrumb of a node that an operator has stopped.
 *
 * <p><b>Threads.</b> All methods may be called by any thread. Hooks, the fencer and health checks have threads of their
 * own. Listeners run where the coordinator's callbacks do.
 */
public final class ActiveStandby implements AutoCloseable {

    /** The tree of the breadcrumb records, by the election's name. */
    public static final String BREADCRUMBS = "baton.breadcrumbs";

    /**
     * The tree of records of the progress of leaders that are nodes, by the election's name; they stay there.
     */
    public static final String STATES = "baton.states";

    /**
     * The tree of records by which an operator wakes all nodes of an election, by its name; they stay there.
     */
    public static final String WAKES = "baton.wakes";

    /** The states of a node. */
    public enum State {
        /** Not active: it waits for its turn, or is unhealthy and does not stand in line. */
        STANDBY,
        /** It leads and becomes active: the former active node is fenced if need be, then the hook runs. */
        PROMOTING,
        /** It is the active node. */
        ACTIVE,
        /** It stops being active, and leads until it has. */
        DEMOTING,
        /** Closed, for good. */
        CLOSED
    }

    private final StandbySetup setup;
    private final Coordinator coordinator;
    private final ElectionLine line;
    private final StandbyNode node;
    private final AtomicBoolean started = new AtomicBoolean();

    ActiveStandby(StandbySetup setup, Coordinator coordinator, ElectionLine line, HookExecutor hands) {
        this.setup = setup;
        this.coordinator = coordinator;
        this.line = line;
        this.node = new StandbyNode(setup, coordinator, line, hands);
    }

    /**
     * Returns a builder for a node.
     *
     * @param name the election's name, the same for all nodes of one service
     * @param id the node's id, different for each node
     */
    public static Builder builder(Coordinator coordinator, String name, String id) {
        return new Builder(coordinator, name, id);
    }

    /**
     * Starts health checks, and stands in line once healthy. Without effect if already started.
     *
     * @throws IllegalArgumentException if a node of this name and id runs on this coordinator already, or a candidate
     *     of that id stands in the election of that name
     */
    public ActiveStandby start() {
        if (started.compareAndSet(false, true)) {
            node.start(claim());
        }
        return this;
    }

    private Subscription claim() {
        try {
            return line.claim(setup.id(), "standby node");
        } catch (IllegalArgumentException taken) {
            started.set(false); // the caller may try again
            throw taken;
        }
    }

    /** The present state. */
    public State state() {
        return node.shown().state();
    }

    /** The present state, with health, trouble and pause. */
    public StandbyStatus status() {
        return node.status();
    }

    /** The present term; empty unless this node is ACTIVE and does not have to stop. */
    public Optional<Leadership> leadership() {
        return node.leadership();
    }

    /**
     * Passes the present state to the listener and then every transition, once and in order. A listener that falls
     * behind by a thousand gets the newest only.
     */
    public Subscription onState(Consumer<State> listener) {
        return node.onState(listener);
    }

    /** Describes for people the configuration, what it relies on, and the longest failover. */
    public String describe() {
        return new StandbyDescription(
                        setup, coordinator.ttl(), coordinator.guarantees().expiryLag())
                .text();
    }

    /**
     * Retries at once what waits after a failure: fencing the former active node, or standing in the election again.
     * Earlier failures do not count any more, so that delays start anew. Without effect on a node that is unhealthy,
     * has a fencer that has not returned, or stays out of a paused election. {@link StandbyAdmin#wake} wakes all nodes.
     */
    public void wake() {
        node.wake();
    }

    /**
     * Demotes, removes the breadcrumb and leaves the election. Waits for that, but no longer than the demotion may take
     * and then the coordinator's close timeout. Past that it goes on. Called from a callback or a hook, it does not
     * wait. Idempotent.
     */
    @Override
    public void close() {
        CompletableFuture<Void> done = node.startLeaving();
        if (!Callbacks.inside() && !node.isOwnThread()) {
            Futures.awaitDone(setup.timings().stop().plus(line.closeTimeout()), done);
        }
    }

    /**
     * As {@link #close()} without waiting; completes when the node has left the election. A hook that goes on for
     * longer than the coordinator completes it when it returns.
     */
    public CompletableFuture<Void> closeAsync() {
        return node.closeAsync();
    }

    @Override
    public String toString() {
        return "node '" + setup.id() + "' of '" + setup.name() + "'";
    }

    /** Collects options; {@link #build} checks them. */
    public static final class Builder {

        private final Coordinator coordinator;
        private final String name;
        private final String id;
        private final Map<String, String> metadata = new TreeMap<>();
        private String address = "";
        private @Nullable StandbyHook promote;
        private @Nullable StandbyHook demote;
        private @Nullable HealthCheck health;
        private @Nullable Fencer fencer;
        private String unfenced = "";
        private Duration promoteBudget = Duration.ofSeconds(1);
        private Duration demoteBudget = Duration.ofSeconds(1);
        private Duration fencerBudget = Duration.ZERO;
        private Duration grace = Duration.ofMillis(250);
        private Duration healthPause = Duration.ofSeconds(1);
        private Duration healthTimeout = Duration.ofSeconds(1);
        private int healthFailures = 3;
        private int healthSuccesses = 2;
        private int fencingAttempts = 3;
        private WhenSuspended whenSuspended = WhenSuspended.STOP;
        private LastResort lastResort = LastResort.log();
        private int priority;
        private Duration priorityDelay = Duration.ofSeconds(10);

        private Builder(Coordinator coordinator, String name, String id) {
            this.coordinator = coordinator;
            this.name = name;
            this.id = id;
        }

        /** Where clients reach it while it is active, as {@code 10.1.2.3:8080}. Default none. */
        public Builder address(String value) {
            address = value;
            return this;
        }

        /** Something more for observers. Default nothing. */
        public Builder metadata(String key, String value) {
            metadata.put(key, value);
            return this;
        }

        /** The hook that makes the node active, and how long it may take. Required. */
        public Builder onPromote(StandbyHook hook, Duration budget) {
            promote = hook;
            promoteBudget = budget;
            return this;
        }

        /**
         * The hook that makes the node passive again, and how long it may take. It also runs after a promotion that
         * failed or was broken off. Required.
         */
        public Builder onDemote(StandbyHook hook, Duration budget) {
            demote = hook;
            demoteBudget = budget;
            return this;
        }

        /** Whether it is fit to be active. Default: it always is. */
        public Builder health(HealthCheck check) {
            health = check;
            return this;
        }

        /** How often health is checked, and how long a check may take. Default 1 s and 1 s. */
        public Builder healthEvery(Duration pause, Duration timeout) {
            healthPause = pause;
            healthTimeout = timeout;
            return this;
        }

        /**
         * How many checks in a row must fail to make a node unhealthy, and succeed to make it healthy. Default 3 and 2.
         */
        public Builder healthAfter(int failures, int successes) {
            healthFailures = failures;
            healthSuccesses = successes;
            return this;
        }

        /**
         * The fencer for a former active node that has not stopped cleanly, and how long it may take. Required, unless
         * {@link #withoutFencer} is used.
         */
        public Builder fencer(Fencer fencer, Duration budget) {
            this.fencer = fencer;
            fencerBudget = budget;
            return this;
        }

        /**
         * How many times fencing is tried before the next node in line gets its turn. Default 3. The same applies if
         * the store refuses this node to read or write the {@linkplain Breadcrumb breadcrumb}.
         */
        public Builder fencingAttempts(int value) {
            fencingAttempts = value;
            return this;
        }

        /**
         * Does without a fencer: a former active node that has not stopped cleanly is passed over with a warning.
         *
         * @param reason why that is safe here, as "every write carries the guard"; {@link #describe} and warnings show
         *     it
         */
        public Builder withoutFencer(String reason) {
            unfenced = reason;
            return this;
        }

        /** How long a hook may take to return once it is interrupted. Default 250 ms. */
        public Builder interruptGrace(Duration value) {
            grace = value;
            return this;
        }

        /**
         * What an active node does without contact. Default {@link WhenSuspended#STOP}. Either way a node stops while
         * it is certain to lead for as long as stopping may take, which {@link #describe} says. If that is more than a
         * quarter of the ttl, a smaller step of the wall clock may end the term, too.
         */
        public Builder whenSuspended(WhenSuspended value) {
            whenSuspended = value;
            return this;
        }

        /**
         * The node's priority. Once this node has stood by for the {@link #priorityDelay}, healthy, behind an active
         * node of smaller priority, that node is demoted, and this one is promoted in its place without fencing. A node
         * that an operator's hand-over has {@linkplain LeaderElection#handOver(String, Duration) pinned} stays active.
         * Default 0, which never takes over by priority.
         */
        public Builder priority(int value) {
            priority = value;
            return this;
        }

        /** How long to stand by behind an active one of smaller priority before asking. Default 10 s. */
        public Builder priorityDelay(Duration value) {
            priorityDelay = value;
            return this;
        }

        /** What to do about a hook that does not return. Default {@link LastResort#log()}. */
        public Builder lastResort(LastResort value) {
            lastResort = value;
            return this;
        }

        /**
         * Checks and builds; the node does nothing yet.
         *
         * @throws IllegalArgumentException if something is missing, a value makes no sense, or with these timings an
         *     old active one could still run when the next one is promoted, or if the store may lose the breadcrumb,
         *     which was not accepted; the message says which
         */
        @CheckReturnValue
        public ActiveStandby build() {
            return build(new ThreadHands(line().loop()));
        }

        /** As {@link #build()}, and starts it. */
        public ActiveStandby start() {
            return build().start();
        }

        private ElectionLine line() {
            return ElectionLine.named(coordinator, name);
        }

        ActiveStandby build(HookExecutor hands) {
            ElectionLine line = line();
            line.requireNoLoss("an active and standby node, whose breadcrumb says whom to fence,");
            StandbySetup setup = setup();
            checkCandidate(setup);
            setup.timings().problem(coordinator.ttl(), line.closeTimeout()).ifPresent(what -> {
                throw new IllegalArgumentException(what);
            });
            return new ActiveStandby(setup, coordinator, line, hands);
        }

        private static void checkCandidate(StandbySetup setup) {
            var unused = setup.candidate(StandbyNode.newRun(), 0);
        }

        private StandbySetup setup() {
            if ((fencer == null) == unfenced.isBlank()) {
                throw new IllegalArgumentException(
                        "either fencer(...), which makes sure that a former active one does nothing"
                                + " any more, or withoutFencer(why that is safe here), and not both");
            }
            positive("the budget of onPromote", promoteBudget);
            positive("the budget of onDemote", demoteBudget);
            positive("interruptGrace", grace);
            positive("the pause of healthEvery", healthPause);
            positive("the timeout of healthEvery", healthTimeout);
            count("the failures of healthAfter", healthFailures);
            count("the successes of healthAfter", healthSuccesses);
            count("fencingAttempts", fencingAttempts);
            if (fencer != null) {
                positive("the budget of fencer", fencerBudget);
            }
            var timings = new StandbyTimings(promoteBudget, demoteBudget, grace, fencerBudget, fencingAttempts);
            return new StandbySetup(
                    name,
                    id,
                    address,
                    Map.copyOf(metadata),
                    given("onPromote", promote),
                    given("onDemote", demote),
                    timings,
                    rules(),
                    fencer,
                    unfenced,
                    whenSuspended,
                    lastResort,
                    priority,
                    priorityDelay);
        }

        private @Nullable HealthRules rules() {
            return health == null
                    ? null
                    : new HealthRules(health, healthPause, healthTimeout, healthFailures, healthSuccesses);
        }

        private static StandbyHook given(String name, @Nullable StandbyHook hook) {
            if (hook == null) {
                throw new IllegalArgumentException(name + " is missing: a node has to know what to do");
            }
            return hook;
        }

        private static void positive(String name, Duration value) {
            if (value.isZero() || value.isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException(name + " must be positive and at most a day, not " + value);
            }
        }

        private static void count(String name, int value) {
            if (value < 1 || value > 1000) {
                throw new IllegalArgumentException(name + " must be between 1 and 1000, not " + value);
            }
        }
    }
}
