package io.baton.election.internal.standby;

import io.baton.ElectionTelemetry.FencingAttempt;
import io.baton.ElectionTelemetry.FencingAttempt.Outcome;
import io.baton.ElectionTelemetry.HealthChange;
import io.baton.ElectionTelemetry.StandbyChange;
import io.baton.ElectionTelemetry.StandbyChange.State;
import io.baton.election.ActiveStandby;
import io.baton.election.Breadcrumb;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.standby.StandbyMachine.Phase;
import io.baton.recipe.Texts;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports a node's states, fencing and health to telemetry and the log. On the loop. */
public final class StandbyReport {

    /** A running attempt to fence. */
    private record Attempt(Breadcrumb whom, int number, long begunNanos) {}

    private final ElectionLine line;
    private final String id;
    private final Logger log;

    private @Nullable State state;
    private long sinceNanos;
    private long electedNanos;
    private boolean unhealthy;
    private @Nullable Attempt attempt;
    private boolean overdue;

    public StandbyReport(ElectionLine line, String id) {
        this(line, id, LoggerFactory.getLogger(ActiveStandby.class));
    }

    public StandbyReport(ElectionLine line, String id, Logger log) {
        this.line = line;
        this.id = id;
        this.log = log;
    }

    // ---- states

    /** Reports that the node has started. */
    public void started() {
        enter(State.STANDBY, 0);
    }

    /** Reports that the node has entered another phase of a term. */
    public void phaseChanged(Phase phase, long term) {
        State next = of(phase);
        if (phase == Phase.ACTIVE) {
            log.info("{} is active, in term {}, {} after it was elected", this, term, Texts.of(since(electedNanos)));
        }
        enter(next, next == State.STANDBY ? 0 : term);
    }

    /** Reports that the node is closed. */
    void closed() {
        enter(State.CLOSED, 0);
    }

    /** Between two attempts to fence, the state stays FENCING. */
    private State of(Phase phase) {
        return switch (phase) {
            case STANDBY -> State.STANDBY;
            case READING, PAUSING -> state == State.FENCING ? State.FENCING : State.STARTING;
            case CLEANING, CLAIMING, PROMOTING -> State.STARTING;
            case FENCING -> State.FENCING;
            case ACTIVE -> State.ACTIVE;
            case CALLED_OFF, UNCLAIMING, CANCELLING, DEMOTING, SWEEPING -> State.STOPPING;
            case LEAVING, OVERRUN, FAILED -> State.FAILED;
        };
    }

    private void enter(State next, long term) {
        State last = state;
        if (next == last) {
            return;
        }
        Duration before = last == null ? Duration.ZERO : since(sinceNanos);
        state = next;
        sinceNanos = line.loop().nanoTime();
        if (last == State.STANDBY) {
            electedNanos = sinceNanos;
        }
        line.reportReliably(() -> {
            var event = new StandbyChange(now(), line.name(), id, next, term, before);
            return to -> to.standby(event);
        });
    }

    // ---- health

    /** Reports the first or a changed result of the health checks. */
    public void health(boolean healthy) {
        if (!healthy) {
            log.warn("{} is not healthy, and does not stand for election until it is", this);
        } else if (unhealthy) {
            log.info("{} is healthy again, and stands for election", this);
        }
        unhealthy = !healthy;
        line.reportReliably(() -> {
            var event = new HealthChange(now(), line.name(), id, healthy);
            return to -> to.health(event);
        });
    }

    // ---- fencing

    /** Reports that the fencer starts. */
    public void fencingStarted(Breadcrumb whom, int number) {
        attempt = new Attempt(whom, number, line.loop().nanoTime());
        overdue = false;
        log.warn("{} fences {}, attempt {}", this, whom, number);
    }

    /** Notes that the fencer has exceeded its budget, and is interrupted. */
    void fencerOverdue() {
        overdue = true;
    }

    /**
     * Reports that the fencer has returned.
     *
     * @param calledOff whether the node no longer leads, or not for long enough, so that it may not have been called
     */
    public void fencerReturned(@Nullable Throwable thrown, boolean calledOff) {
        if (thrown == null) {
            fenced(Outcome.FENCED, "");
        } else {
            Outcome outcome = calledOff ? Outcome.CANCELLED : overdue ? Outcome.TIMED_OUT : Outcome.FAILED;
            fenced(outcome, thrown.toString());
        }
    }

    /** Reports that the running fencer is abandoned. */
    void fencerAbandoned() {
        fenced(Outcome.ABANDONED, "");
    }

    private void fenced(Outcome outcome, String failure) {
        Attempt over = attempt;
        if (over == null) {
            return;
        }
        attempt = null;
        Duration took = since(over.begunNanos);
        switch (outcome) {
            case FENCED -> log.info("{} has fenced {}, in {}", this, over.whom, Texts.of(took));
            case CANCELLED -> log.info("{} is not certain to lead any more, and has not fenced {}", this, over.whom);
            case FAILED, TIMED_OUT, ABANDONED -> {
                // Logged as a problem of the node.
            }
        }
        line.report(() -> {
            var event = new FencingAttempt(
                    now(), line.name(), id, over.whom.id(), over.whom.term(), over.number, outcome, took, failure);
            return to -> to.fencing(event);
        });
    }

    private Instant now() {
        return Instant.ofEpochMilli(line.loop().wallMillis());
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(line.loop().nanoTime() - nanos);
    }

    @Override
    public String toString() {
        return "node '" + id + "' of '" + line.name() + "'";
    }
}
