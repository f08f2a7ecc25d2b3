package io.baton.election;

import io.baton.Subscription;
import io.baton.election.CandidacyMachine.State;
import io.baton.internal.ElectionLine;
import io.baton.internal.Waits;
import io.baton.spi.Entry;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a candidate of some priority ask for the leadership while it stands behind a leader of less, not at once and more
 * and more seldom. On the loop.
 */
final class Preference {

    private static final Logger log = LoggerFactory.getLogger(Preference.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LONGEST_PAUSE_DOUBLINGS = 5;

    private final ElectionLine line;
    private final Candidate candidate;
    private final Supplier<State> state;
    private Subscription watching = () -> {};
    private Loop.Timer next = () -> {};
    private boolean smaller;
    private boolean wanting;
    private boolean asking;
    private int refusals;

    Preference(ElectionLine line, Candidate candidate, Supplier<State> state) {
        this.line = line;
        this.candidate = candidate;
        this.state = state;
    }

    /** Follows who leads from now on, if the candidate has any priority. */
    void begin() {
        if (candidate.priority() > 0) {
            watching = line.observe(this::first);
        }
    }

    void end() {
        watching.close();
        smaller = false;
        look();
    }

    private void first(Optional<Entry> now) {
        smaller = now.map(Stander::of)
                .filter(leader -> leader.known() && leader.priority() < candidate.priority())
                .isPresent();
        look();
    }

    /** The candidate's state may have changed. */
    void look() {
        boolean wants = smaller && state.get() == State.STANDING;
        if (wants && !wanting) {
            refusals = 0;
            next = line.loop().after(candidate.priorityDelay(), this::ask);
        } else if (!wants) {
            next.cancel();
        }
        wanting = wants;
    }

    private void ask() {
        if (!wanting || asking) {
            return;
        }
        asking = true;
        Waits.onDone(Asking.ask(line, candidate.id(), PATIENCE), (done, failure) -> {
            asking = false;
            if (failure != null) {
                log.info("{} would rather lead, but: {}", candidate, failure.getMessage());
            }
            if (wanting) {
                Duration least = candidate.priorityDelay().multipliedBy(1L << refusals);
                refusals = Math.min(refusals + 1, LONGEST_PAUSE_DOUBLINGS);
                next.cancel();
                next = line.loop().after(line.loop().jittered(least), this::ask);
            }
        });
    }
}
