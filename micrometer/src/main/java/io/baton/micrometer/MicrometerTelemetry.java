package io.baton.micrometer;

import io.baton.SessionState;
import io.baton.Telemetry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Instant;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Records the metrics of one coordinator in a {@link MeterRegistry}.
 *
 * <table>
 * <caption>The meters</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th><th>meaning</th></tr>
 * <tr><td>{@code baton.lock.wait}</td><td>timer</td><td>{@code lock}, {@code outcome}</td><td>from the call to its
 * outcome: granted, taken, timed_out, cancelled, closed, failed</td></tr>
 * <tr><td>{@code baton.lock.held}</td><td>timer</td><td>{@code lock}, {@code end}</td><td>from the grant to the end:
 * released, lost</td></tr>
 * <tr><td>{@code baton.lock.lost}</td><td>counter</td><td>{@code lock}</td><td>holds that were lost</td></tr>
 * <tr><td>{@code baton.lock.jeopardy}</td><td>timer</td><td>{@code lock}</td><td>time in jeopardy of holds that became
 * steady again</td></tr>
 * <tr><td>{@code baton.lock.handoff}</td><td>timer</td><td>{@code lock}</td><td>from a release to the store's
 * confirmation</td></tr>
 * <tr><td>{@code baton.lock.rejoined}</td><td>counter</td><td>{@code lock}</td><td>waiters that lost their place and
 * rejoined</td></tr>
 * <tr><td>{@code baton.waiting}</td><td>gauge</td><td></td><td>acquisitions and candidacies that wait now</td></tr>
 * <tr><td>{@code baton.holding}</td><td>gauge</td><td></td><td>locks and leaderships that are held now</td></tr>
 * <tr><td>{@code baton.election.leading}</td><td>gauge</td><td>{@code election}</td><td>1 while a candidate leads and
 * its work has not been signalled to stop, otherwise 0</td></tr>
 * <tr><td>{@code baton.election.terms}</td><td>counter</td><td>{@code election}</td><td>terms that have begun</td></tr>
 * <tr><td>{@code baton.election.term.duration}</td><td>timer</td><td>{@code election}, {@code reason}</td><td>from the
 * beginning of a term until its work stopped: jeopardy, lost, resigned, handed_over, closed, returned,
 * threw</td></tr>
 * <tr><td>{@code baton.election.stop.duration}</td><td>timer</td><td>{@code election}, {@code reason}</td><td>from the
 * signal to stop until the work stopped; the reasons as above, without returned and threw</td></tr>
 * <tr><td>{@code baton.election.late}</td><td>counter</td><td>{@code election}</td><td>terms whose work did not stop in
 * time</td></tr>
 * <tr><td>{@code baton.election.handovers}</td><td>counter</td><td>{@code election}, {@code phase}</td><td>hand-overs
 * that leaders were asked for: started, done, refused, failed</td></tr>
 * <tr><td>{@code baton.standby.state}</td><td>gauge</td><td>{@code election}, {@code state}</td><td>1 for the present
 * state of the node, 0 for the others: standby, starting, fencing, active, stopping, failed; all 0 once
 * closed</td></tr>
 * <tr><td>{@code baton.standby.changes}</td><td>counter</td><td>{@code election}, {@code state}</td><td>changes to that
 * state, or to closed</td></tr>
 * <tr><td>{@code baton.standby.unhealthy}</td><td>gauge</td><td>{@code election}</td><td>1 while the node's health
 * checks fail, otherwise 0</td></tr>
 * <tr><td>{@code baton.standby.fencing}</td><td>timer</td><td>{@code election}, {@code outcome}</td><td>attempts to
 * fence a former active node: fenced, failed, timed_out, cancelled, abandoned</td></tr>
 * <tr><td>{@code baton.config.revision},
 * {@code baton.config.change}</td><td>gauge</td><td>{@code space}</td><td>revision and last change of the values in
 * use</td></tr>
 * <tr><td>{@code baton.config.behind}</td><td>gauge</td><td>{@code space}</td><td>by how many changes the values in use
 * are behind the newest</td></tr>
 * <tr><td>{@code baton.config.rejecting}</td><td>gauge</td><td>{@code space}</td><td>1 while something newer is
 * rejected, otherwise 0</td></tr>
 * <tr><td>{@code baton.config.unconfirmed}</td><td>gauge, seconds</td><td>{@code space}</td><td>time since the values
 * seen were last known to be the newest; 0 in contact</td></tr>
 * <tr><td>{@code baton.config.source}</td><td>gauge</td><td>{@code space}, {@code source}</td><td>1 for where the
 * values come from, 0 for the others: live, cached, bundled</td></tr>
 * <tr><td>{@code baton.config.events}</td><td>counter</td><td>{@code space}, {@code what}</td><td>applied, rejected,
 * confirmed, unconfirmed, closed</td></tr>
 * <tr><td>{@code baton.session.state}</td><td>gauge</td><td>{@code state}</td><td>1 for the present state, 0 for the
 * others: connected, suspended, lost, closed</td></tr>
 * <tr><td>{@code baton.session.changes}</td><td>counter</td><td>{@code state}</td><td>changes to that state</td></tr>
 * <tr><td>{@code baton.requests}</td><td>timer</td><td>{@code kind}, {@code outcome}</td><td>requests to the
 * store</td></tr>
 * <tr><td>{@code baton.telemetry.dropped}</td><td>counter</td><td></td><td>events missing in these metrics, because the
 * registry was slow</td></tr>
 * </table>
 *
 * <p><b>Cardinality.</b> Each value of {@code lock} adds time series in the monitoring system, and names of locks may
 * contain order numbers. Therefore only the first 100 names get a value of their own, and all others share
 * {@code other}. {@link Builder#lockGroup} groups names, such as {@code order-17} into {@code order}.
 * {@link Builder#maxLocks} sets the bound; with 0, all locks share {@code other}.
 *
 * <p>The same rules hold for {@code election}, with a bound of its own. Candidates and nodes have no tag. A gauge of
 * {@code other}, or of a group, is the sum over its elections.
 *
 * <p><b>Histograms and percentiles</b> are set in the registry, by a {@code MeterFilter} on {@code baton.}.
 *
 * <p><b>One per coordinator.</b> The gauges show the state of one coordinator. Several coordinators of a process need
 * different {@link Builder#tags}. Otherwise their timers and counters add up, and the gauges show only the coordinator
 * whose telemetry was built last.
 *
 * <p><b>One after the other.</b> A coordinator that follows a closed one gets a new {@code MicrometerTelemetry}. With
 * the same registry and tags, {@link Builder#build} removes the former gauges, and those of the new one take their
 * place; timers and counters go on. A closed coordinator without a successor leaves its meters: {@code
 * baton.session.state} is 1 for closed, and the gauges of locks, elections and nodes are 0. The gauges of a
 * configuration are removed when it is closed.
 */
public final class MicrometerTelemetry implements Telemetry {

    private final LockTags locks;
    private final MeterProvider<Timer> wait;
    private final MeterProvider<Timer> held;
    private final MeterProvider<Counter> lost;
    private final MeterProvider<Timer> jeopardy;
    private final MeterProvider<Timer> handoff;
    private final MeterProvider<Counter> rejoined;
    private final MeterProvider<Counter> changes;
    private final MeterProvider<Timer> requests;
    private final Counter dropped;
    private final ConfigMeters configs;
    private final ElectionMeters elections;
    private final Present present = new Present();

    /** What the gauges of the coordinator as a whole show. */
    private static final class Present {
        private volatile Load load = new Load(Instant.EPOCH, 0, 0);
        private volatile SessionState state = SessionState.SUSPENDED;
    }

    private MicrometerTelemetry(Builder b) {
        locks = new LockTags(b.lockGroup, b.maxLocks);
        wait = timer(b, "baton.lock.wait", "Time from asking for a lock to the answer");
        held = timer(b, "baton.lock.held", "Time from the grant of a lock to its end");
        lost = counter(b, "baton.lock.lost", "Holds that were lost");
        jeopardy = timer(b, "baton.lock.jeopardy", "Time in jeopardy of holds that became steady again");
        handoff = timer(b, "baton.lock.handoff", "Time from a release to the store's confirmation");
        rejoined = counter(b, "baton.lock.rejoined", "Waiters that lost their place and joined again");
        changes = counter(b, "baton.session.changes", "Changes of the contact with the store, by new state");
        requests = timer(b, "baton.requests", "Requests to the store");
        dropped = counter(b, "baton.telemetry.dropped", "Events missing here because the registry was slow")
                .withTags();
        Gauges gauges = new Gauges(b.registry, b.tags);
        configs = new ConfigMeters(b.registry, b.tags, gauges, System::nanoTime);
        elections = new ElectionMeters(b.registry, b.tags, gauges, new LockTags(b.lockGroup, b.maxLocks));
        register(gauges, present);
    }

    /** The gauges refer to the values only, as the registry keeps them when the coordinator is closed. */
    private static void register(Gauges gauges, Present now) {
        gauges.add(
                "baton.waiting", "Acquisitions and candidacies that wait now", Tags.empty(), () -> now.load.waiting());
        gauges.add("baton.holding", "Locks and leaderships that are held now", Tags.empty(), () -> now.load.holding());
        for (SessionState each : SessionState.values()) {
            gauges.add(
                    "baton.session.state",
                    "1 for the present contact with the store, 0 for the others",
                    Tags.of("state", lower(each)),
                    () -> now.state == each ? 1 : 0);
        }
    }

    /** Returns one with the defaults. */
    public static MicrometerTelemetry of(MeterRegistry registry) {
        return builder(registry).build();
    }

    /** Returns a builder that starts from the defaults. */
    public static Builder builder(MeterRegistry registry) {
        return new Builder(registry);
    }

    @Override
    public void granted(Granted event) {
        wait.withTags(lock(event.lock()).and("outcome", "granted")).record(event.waited());
    }

    @Override
    public void notGranted(NotGranted event) {
        wait.withTags(lock(event.lock()).and("outcome", lower(event.reason()))).record(event.waited());
    }

    @Override
    public void rejoined(Rejoined event) {
        rejoined.withTags(lock(event.lock())).increment();
    }

    @Override
    public void steady(Steady event) {
        jeopardy.withTags(lock(event.lock())).record(event.lasted());
    }

    @Override
    public void lost(Lost event) {
        Tags lock = lock(event.lock());
        lost.withTags(lock).increment();
        held.withTags(lock.and("end", "lost")).record(event.held());
    }

    @Override
    public void released(Released event) {
        held.withTags(lock(event.lock()).and("end", "released")).record(event.held());
    }

    @Override
    public void handedOff(HandedOff event) {
        handoff.withTags(lock(event.lock())).record(event.took());
    }

    @Override
    public void load(Load event) {
        present.load = event;
    }

    @Override
    public void configuration(Configuration event) {
        configs.update(event);
    }

    @Override
    public void termBegan(TermBegan event) {
        elections.began(event);
    }

    @Override
    public void termStopping(TermStopping event) {
        elections.stopping(event);
    }

    @Override
    public void termLate(TermLate event) {
        elections.late(event);
    }

    @Override
    public void termEnded(TermEnded event) {
        elections.ended(event);
    }

    @Override
    public void handOver(HandOver event) {
        elections.handOver(event);
    }

    @Override
    public void standby(StandbyChange event) {
        elections.standby(event);
    }

    @Override
    public void health(HealthChange event) {
        elections.health(event);
    }

    @Override
    public void fencing(FencingAttempt event) {
        elections.fencing(event);
    }

    @Override
    public void session(SessionChange event) {
        present.state = event.state();
        changes.withTag("state", lower(event.state())).increment();
    }

    @Override
    public void request(Request event) {
        requests.withTags(Tags.of("kind", lower(event.kind()), "outcome", lower(event.outcome())))
                .record(event.took());
    }

    @Override
    public void dropped(Dropped event) {
        dropped.increment((double) event.events());
    }

    private Tags lock(String name) {
        return Tags.of("lock", locks.of(name));
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static MeterProvider<Timer> timer(Builder b, String name, String description) {
        return Timer.builder(name).description(description).tags(b.tags).withRegistry(b.registry);
    }

    private static MeterProvider<Counter> counter(Builder b, String name, String description) {
        return Counter.builder(name).description(description).tags(b.tags).withRegistry(b.registry);
    }

    /** Collects options; {@link #build} checks them. */
    public static final class Builder {

        private final MeterRegistry registry;
        private Iterable<Tag> tags = Tags.empty();
        private UnaryOperator<String> lockGroup = UnaryOperator.identity();
        private int maxLocks = 100;

        private Builder(MeterRegistry registry) {
            this.registry = registry;
        }

        /** Tags of every meter, such as the coordinator's name if a process has several. Default none. */
        public Builder tags(Iterable<Tag> value) {
            tags = value;
            return this;
        }

        /**
         * Maps the name of a lock or an election to the value of its tag, which must not be empty. If the function
         * throws, the exception is logged and the event is not measured. Default the name itself.
         */
        public Builder lockGroup(UnaryOperator<String> value) {
            lockGroup = value;
            return this;
        }

        /**
         * The largest number of values of each of the tags {@code lock} and {@code election}, besides {@code other}.
         * Default 100.
         */
        public Builder maxLocks(int value) {
            maxLocks = value;
            return this;
        }

        /**
         * Checks the values, builds the listener and registers its first meters. Gauges that an earlier listener with
         * the same registry and tags has registered are removed.
         *
         * @throws IllegalArgumentException if {@code maxLocks} is negative
         */
        public MicrometerTelemetry build() {
            if (maxLocks < 0) {
                throw new IllegalArgumentException("maxLocks must not be negative: " + maxLocks);
            }
            return new MicrometerTelemetry(this);
        }
    }
}
