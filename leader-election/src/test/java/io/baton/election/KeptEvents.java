package io.baton.election;

import io.baton.Telemetry;
import io.baton.recipe.Texts;
import java.util.ArrayList;
import java.util.List;

/** Telemetry that writes down what it is told of elections and nodes. */
final class KeptEvents implements Telemetry {

    final List<String> events = new ArrayList<>();
    final List<TermEnded> ended = new ArrayList<>();
    final List<FencingAttempt> fencing = new ArrayList<>();
    final List<ElectionPause> pauses = new ArrayList<>();

    @Override
    public void termBegan(TermBegan event) {
        events.add(event.candidate() + " began, after " + Texts.of(event.waited()));
    }

    @Override
    public void termStopping(TermStopping event) {
        events.add(event.candidate() + " stopping " + event.reason()
                + (event.remaining().isZero() ? ", over" : ""));
    }

    @Override
    public void termLate(TermLate event) {
        events.add(event.candidate() + " late " + event.reason() + ", " + Texts.of(event.since()));
    }

    @Override
    public void termEnded(TermEnded event) {
        ended.add(event);
        events.add(event.candidate() + " ended " + event.reason() + ", lasted " + Texts.of(event.lasted())
                + ", stopped in " + Texts.of(event.stopTook()) + (event.late() ? ", late" : "")
                + (event.lastResort() ? ", last resort" : ""));
    }

    @Override
    public void handOver(HandOver event) {
        events.add(event.candidate() + " to " + event.to() + " " + event.phase() + " " + Texts.of(event.took()) + " "
                + event.why());
    }

    @Override
    public void electionPause(ElectionPause event) {
        pauses.add(event);
        events.add(event.candidate() + (event.paused() ? " paused" : " resumed") + (event.barred() ? ", barred" : ""));
    }

    @Override
    public void standby(StandbyChange event) {
        events.add(event.node() + " " + event.state() + (event.term() == 0 ? "" : " in a term") + " after "
                + Texts.of(event.before()));
    }

    @Override
    public void fencing(FencingAttempt event) {
        fencing.add(event);
        events.add(event.node() + " fences " + event.fenced() + " #" + event.attempt() + " " + event.outcome() + " "
                + Texts.of(event.took()));
    }

    @Override
    public void health(HealthChange event) {
        events.add(event.node() + (event.healthy() ? " healthy" : " unhealthy"));
    }

    @Override
    public void dropped(Dropped event) {
        events.add("dropped " + event.events());
    }
}
