package io.baton.election.internal.standby;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.election.ActiveStandby;
import io.baton.election.ActiveStandby.State;
import io.baton.election.Leader;
import io.baton.election.Leadership;
import io.baton.election.StandbyMember;
import io.baton.election.StandbyStatus;
import io.baton.election.StandbyStatus.Health;
import io.baton.election.internal.DefaultCandidacy;
import io.baton.election.internal.line.CandidateText;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.observe.StateListeners;
import io.baton.election.internal.standby.NodeProblems.Kind;
import io.baton.election.internal.standby.StandbyMachine.Phase;
import io.baton.election.internal.term.Term;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.spi.Entry;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running node: its health, its candidacy, and its present term. On the loop, unless stated otherwise. */
public final class StandbyNode implements StandbyTerm.Owner {

    private static final Logger log = LoggerFactory.getLogger(ActiveStandby.class);

    /** Its public state. */
    public record Shown(State state, Instant since, long term) {}

    private final StandbySetup setup;
    private final Coordinator coordinator;
    private final ElectionLine line;
    private final ClientLoop loop;
    private final HookExecutor hands;
    private final String run = newRun();
    private final Breadcrumbs crumbs;
    private final StateRecord states;
    private final NodeProblems troubles;
    private final ActiveNodeWatch otherNode;
    private final StandbyGate gate;
    private final StandbyReport report;
    private final MemberTeller teller;
    private final StateListeners<State> listeners;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private boolean closing;
    private boolean unclean;
    private Subscription drain = () -> {};
    private Subscription heads = () -> {};
    private Subscription wakes = () -> {};
    private @Nullable HealthMonitor monitor;
    private volatile @Nullable Term current;
    private volatile @Nullable StandbyTerm work;
    private volatile Health health = Health.UNKNOWN;
    private volatile Shown shown;

    public StandbyNode(StandbySetup setup, Coordinator coordinator, ElectionLine line, HookExecutor hands) {
        this.setup = setup;
        this.coordinator = coordinator;
        this.line = line;
        this.loop = line.loop();
        this.hands = hands;
        this.crumbs = new Breadcrumbs(line);
        this.states = new StateRecord(line);
        this.report = new StandbyReport(line, setup.id());
        this.shown = new Shown(State.STANDBY, now(), 0);
        String name = "node '" + setup.id() + "' of '" + setup.name() + "'";
        this.listeners = new StateListeners<>(line, name, () -> shown.state());
        this.teller = new MemberTeller(line.joinNodes(), loop, this::member);
        this.troubles = new NodeProblems(name, line, teller::update);
        this.otherNode = new ActiveNodeWatch(states, run, this::resolveIfOtherActive);
        this.gate = new StandbyGate(loop, this::stand, this::obstacle, teller::update);
    }

    // ---- any thread

    /** Starts; releases the id when closed. */
    public void start(Subscription claim) {
        Futures.onDone(closed, (done, failure) -> claim.close());
        drain = line.beforeClosing(this::leave);
        heads = line.observe(this::seen);
        if (!loop.post(this::begin)) {
            shown = new Shown(State.CLOSED, now(), 0);
            closed.complete(null);
        }
    }

    public Shown shown() {
        return shown;
    }

    public StandbyStatus status() {
        Shown now = shown;
        Optional<String> refused =
                gate.candidacy().flatMap(DefaultCandidacy::trouble).map(CoordinationException::getMessage);
        return new StandbyStatus(
                now.state(),
                now.since(),
                now.term(),
                health,
                troubles.text().or(() -> refused),
                gate.candidacy().flatMap(DefaultCandidacy::pause));
    }

    public Optional<Leadership> leadership() {
        Term term = current;
        if (term == null || shown.state() != State.ACTIVE || !term.isActive()) {
            return Optional.empty();
        }
        return Optional.of(term);
    }

    /** Returns whether the calling thread runs a hook or the fencer of this node. */
    public boolean isOwnThread() {
        StandbyTerm now = work;
        return now != null
                && now.thread().filter(Thread.currentThread()::equals).isPresent();
    }

    public Subscription onState(Consumer<State> listener) {
        return listeners.add(listener);
    }

    /** Repeats at once whatever waits for a retry. */
    public void wake() {
        loop.post(() -> wake("this process"));
    }

    public CompletableFuture<Void> closeAsync() {
        return line.callbacks().completeInCallback(startLeaving());
    }

    /**
     * Closes the node. The future completes on any thread, and not by way of callbacks. A term that goes on after the end
     * of the loop ends the node when its hook or fencer returns.
     */
    public CompletableFuture<Void> startLeaving() {
        if (!loop.post(this::leave) && work == null) {
            closed.complete(null);
        }
        return closed;
    }

    // ---- life cycle

    private void begin() {
        HealthRules rules = setup.health();
        if (closing) {
            drain.close();
            heads.close();
            return;
        }
        report.started();
        wakes = new WakeRecord(line).observe(this::wake);
        teller.update();
        if (rules == null) {
            healthy(Health.HEALTHY);
        } else {
            monitor = new HealthMonitor(rules, "baton-health-" + setup.name(), hands, loop, troubles, this::healthy);
            monitor.start();
        }
    }

    private void healthy(Health now) {
        health = now;
        report.health(now == Health.HEALTHY);
        gate.healthy(now == Health.HEALTHY);
    }

    private void wake(String by) {
        StandbyTerm term = work;
        boolean rested = gate.wake();
        if (rested || (term != null && term.waits())) {
            log.info("Node '{}' of '{}' is woken by {}, and tries again at once", setup.id(), setup.name(), by);
        }
        if (term != null) {
            term.wake();
        }
    }

    private StandbyMember member() {
        Shown now = shown;
        StandbyTerm term = work;
        StandbyMember.Readiness readiness = gate.readiness();
        boolean waits = readiness == StandbyMember.Readiness.READY && term != null && term.waits();
        return new StandbyMember(
                setup.id(),
                run,
                setup.address(),
                setup.priority(),
                0,
                now.state(),
                waits ? StandbyMember.Readiness.WAITING : readiness,
                health,
                gate.backOffUntil(),
                troubles.text(),
                Instant.ofEpochMilli(loop.wallMillis()));
    }

    private Optional<String> obstacle() {
        Optional<String> problem = setup.timings().problem(coordinator.ttl(), line.closeTimeout());
        problem.ifPresentOrElse(what -> troubles.report(Kind.TIMINGS, what), () -> troubles.resolved(Kind.TIMINGS));
        return problem;
    }

    private DefaultCandidacy stand() {
        Subscription keptByTheNode = () -> {};
        var duty = new StandbyDuty(this::lead, hands, setup.name());
        var candidate = new DefaultCandidacy(line, setup.candidate(run, gate.failures()), duty, keptByTheNode);
        candidate.start();
        return candidate;
    }

    private CompletionStage<Void> leave() {
        if (!closing) {
            closing = true;
            if (monitor != null) {
                monitor.stop();
            }
            Futures.onDone(gate.close(), (done, failure) -> finishClosing());
        }
        return closed;
    }

    private void finishClosing() {
        drain.close();
        heads.close();
        wakes.close();
        otherNode.stop();
        troubles.end();
        teller.end();
        show(State.CLOSED, 0);
        report.closed();
        closed.complete(null);
    }

    /** Handles a change of leader; it may be another node with the same id: a duplicate id, or an earlier process. */
    private void seen(Optional<Entry> first) {
        Optional<Leader> now = first.map(CandidateText::decode);
        otherNode.leaderChanged(now);
        Optional<Leader> twin = now.filter(leader -> leader.id().equals(setup.id()))
                .filter(leader -> !run.equals(leader.metadata().get(StandbySetup.RUN)));
        twin.ifPresentOrElse(
                leader -> troubles.report(
                        Kind.TWIN,
                        "another candidate of the id '" + setup.id() + "' leads in term " + leader.term()
                                + ": an earlier process, whose session has not ended, or an id that was given twice"),
                () -> troubles.resolved(Kind.TWIN));
    }

    // ---- a term

    private StandbyTerm lead(Term term, Runnable ended) {
        var parts = new StandbyTerm.Parts(setup, run, crumbs, states, hands, loop, report, this);
        StandbyTerm begun = new StandbyTerm(term, parts, () -> {
            ended.run();
            // Afterwards: if the loop has ended, the node is closed by now, and nobody takes it for that before.
            current = null;
            work = null;
            resolveIfOtherActive();
        });
        current = term;
        work = begun;
        if (obstacle().isPresent()) {
            gate.backOff();
            term.afterStopNotified(begun::endUnstarted);
        } else {
            begun.begin();
        }
        return begun;
    }

    @Override
    public void phaseChanged(Phase phase, Term term) {
        if (phase == Phase.ACTIVE) {
            gate.succeeded();
            troubleResolved();
        }
        report.phaseChanged(phase, term.term());
        show(phase.shown(), phase.shown() == State.STANDBY ? 0 : term.term());
        teller.update();
    }

    @Override
    public void backOff() {
        gate.backOff();
    }

    @Override
    public void resign() {
        gate.candidacy().ifPresent(DefaultCandidacy::resign);
    }

    @Override
    public void reportTrouble(String what) {
        troubles.report(Kind.TERM, what);
        otherNode.start();
    }

    @Override
    public void troubleResolved() {
        otherNode.stop();
        troubles.resolved(Kind.TERM);
    }

    /** A trouble of a term that is over is of no interest any more once another node is active. */
    private void resolveIfOtherActive() {
        if (work == null && !gate.fencerStuck() && otherNode.isOtherActive()) {
            troubleResolved();
        }
    }

    @Override
    public boolean unclean() {
        return unclean;
    }

    @Override
    public void unclean(boolean now) {
        unclean = now;
    }

    @Override
    public void fencerStuck(boolean now) {
        gate.fencerStuck(now);
        resolveIfOtherActive();
    }

    private void show(State state, long term) {
        if (state != shown.state()) {
            shown = new Shown(state, now(), term);
            listeners.changed(state);
        }
    }

    /** Returns a new unique id of a run. */
    public static String newRun() {
        return UUID.randomUUID().toString();
    }

    private static Instant now() {
        return Instant.now();
    }
}
