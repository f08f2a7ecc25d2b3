package io.baton.chaos.candidate;

import io.baton.Telemetry;
import io.baton.chaos.history.EventKind;
import io.baton.election.Leader;
import java.time.Duration;
import java.util.Optional;

/** Notes what an observer is told, and the longest time that its client had to wait for an answer. */
final class Witness implements Telemetry {

    private final String who;
    private final Printed notes;
    private Duration longest = Duration.ZERO;

    Witness(String who, Printed notes) {
        this.who = who;
        this.notes = notes;
    }

    void saw(Optional<Leader> leader) {
        notes.note(
                who,
                EventKind.SAW,
                "term",
                leader.map(Leader::term).map(Object::toString).orElse(""),
                "id",
                leader.map(Leader::id).orElse(""));
    }

    @Override
    public void request(Request event) {
        if (event.kind() == Request.Kind.READ && event.took().compareTo(longest) > 0) {
            longest = event.took();
            notes.note(who, EventKind.READ, "took", longest.toNanos());
        }
    }
}
