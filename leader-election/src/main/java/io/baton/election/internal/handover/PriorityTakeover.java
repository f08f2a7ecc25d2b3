package io.baton.election.internal.handover;

import io.baton.Subscription;
import io.baton.election.Candidate;
import io.baton.election.internal.candidacy.CandidacyMachine.State;
import io.baton.election.internal.line.CandidateEntry;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Futures;
import io.baton.spi.Entry;
import io.baton.spi.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the leadership for a candidate while the leader has a lower priority and is not pinned. Starts with a delay,
 * and repeats at growing intervals. On the loop.
 */
public final class PriorityTakeover {

    private static final Logger log = LoggerFactory.getLogger(PriorityTakeover.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LONGEST_PAUSE_DOUBLINGS = 5;

    private final ElectionLine line;
    private final Candidate candidate;
    private final Supplier<State> state;
    private final HandOverDispatcher handOvers;
    private final IntSupplier failures;
    private Subscription watching = () -> {};
    private Loop.Timer next = () -> {};
    private Loop.Timer pinEnds = () -> {};
    private @Nullable CandidateEntry smaller;
    private @Nullable Pin respected;
    private boolean wanting;
    private boolean asking;
    private int refusals;

    /**
     * Requests nothing yet.
     *
     * @param failures how many terms of the candidate in a row have thrown; each doubles the delay
     */
    public PriorityTakeover(
            ElectionLine line,
            Candidate candidate,
            Supplier<State> state,
            HandOverDispatcher handOvers,
            IntSupplier failures) {
        this.line = line;
        this.candidate = candidate;
        this.state = state;
        this.handOvers = handOvers;
        this.failures = failures;
    }

    /** Starts to observe the leader, if the candidate has a priority. */
    public void begin() {
        if (candidate.priority() > 0) {
            watching = line.observe(this::first);
        }
    }

    /** Stops requests, once the candidate's state is over and {@link #update} has run again. */
    public void end() {
        watching.close();
        smaller = null;
    }

    private void first(Optional<Entry> now) {
        smaller = now.map(CandidateEntry::of)
                .filter(leader -> leader.known() && leader.priority() < candidate.priority())
                .orElse(null);
        update();
    }

    /** Handles a possible change of the candidate's state, or of the record of hand-overs. */
    public void update() {
        pinEnds.cancel();
        CandidateEntry leader = smaller;
        boolean wants = leader != null && state.get() == State.STANDING && handOvers.known() && !pinned(leader.stand());
        if (wants && !wanting) {
            refusals = 0;
            int doublings = Math.min(failures.getAsInt(), LONGEST_PAUSE_DOUBLINGS);
            next = line.loop().after(candidate.priorityDelay().multipliedBy(1L << doublings), this::ask);
        } else if (!wants) {
            next.cancel();
        }
        wanting = wants;
    }

    /** Returns whether this leader is pinned; if the pin has an end, updates again then. */
    private boolean pinned(String leader) {
        Instant now = Instant.ofEpochMilli(line.loop().wallMillis());
        Optional<Pin> pin = handOvers.pin().filter(present -> present.holds(leader, now));
        pin.flatMap(Pin::until).ifPresent(end -> pinEnds = line.loop().after(until(now, end), this::update));
        if (pin.isPresent() && !pin.get().equals(respected)) {
            log.info("{} would rather lead, but {}", candidate, pin.get().text());
        }
        respected = pin.orElse(null);
        return pin.isPresent();
    }

    /** An end that is farther away than a pin can last is looked at again then: a timer takes no time of any length. */
    private static Duration until(Instant now, Instant end) {
        Instant last = now.plus(HandOverCalls.LONGEST_PIN);
        return Duration.between(now, end.isBefore(last) ? end : last);
    }

    private void ask() {
        if (!wanting || asking) {
            return;
        }
        asking = true;
        Futures.onDone(HandOverRequest.ask(line, candidate.id(), PATIENCE, Optional.empty()), (done, failure) -> {
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
