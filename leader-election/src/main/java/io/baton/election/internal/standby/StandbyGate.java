package io.baton.election.internal.standby;

import io.baton.election.StandbyMember;
import io.baton.election.internal.DefaultCandidacy;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.spi.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps a node in the election while it is fit to be active, and only then. On the loop, except {@link #candidacy}. */
final class StandbyGate {

    private static final Duration FIRST_REST = Duration.ofSeconds(1);
    private static final int LONGEST_REST_DOUBLINGS = 6;
    private static final Loop.Timer NONE = () -> {};

    private final ClientLoop loop;
    private final Supplier<DefaultCandidacy> opening;
    private final Supplier<Optional<String>> obstacle;
    private final Runnable changed;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private boolean healthy;
    private boolean fencerStuck;
    private boolean resting;
    private boolean closing;
    private int failures;
    private Loop.Timer rest = NONE;
    private Instant restEnds = Instant.EPOCH;
    private volatile @Nullable DefaultCandidacy candidacy;

    /**
     * Creates a closed gate.
     *
     * @param opening stands in the election
     * @param obstacle returns an obstacle to standing at the moment, regardless of health
     * @param changed runs when the node's readiness may have changed
     */
    StandbyGate(
            ClientLoop loop,
            Supplier<DefaultCandidacy> opening,
            Supplier<Optional<String>> obstacle,
            Runnable changed) {
        this.loop = loop;
        this.opening = opening;
        this.obstacle = obstacle;
        this.changed = changed;
    }

    /** Returns the candidacy, if it stands. Any thread. */
    Optional<DefaultCandidacy> candidacy() {
        return Optional.ofNullable(candidacy);
    }

    void healthy(boolean now) {
        healthy = now;
        update();
    }

    /** Returns whether a fencer that was given up goes on. */
    boolean fencerStuck() {
        return fencerStuck;
    }

    void fencerStuck(boolean now) {
        fencerStuck = now;
        update();
    }

    /** Handles a failure of this node: it leaves the election to others, and returns later each time. */
    void backOff() {
        if (!resting) {
            resting = true;
            Duration least = FIRST_REST.multipliedBy(1L << Math.min(failures++, LONGEST_REST_DOUBLINGS));
            Duration time = loop.jittered(least);
            restEnds = Instant.ofEpochMilli(loop.wallMillis()).plus(time);
            rest = loop.after(time, () -> {
                resting = false;
                update();
            });
        }
        update();
    }

    /** Ends the back-off on an operator's request, and forgets failures; returns whether there was one. */
    boolean wake() {
        failures = 0;
        boolean waited = resting;
        if (waited) {
            resting = false;
            rest.cancel();
            update();
        }
        return waited;
    }

    /** Returns how often in a row this node has failed. */
    int failures() {
        return failures;
    }

    /** Returns the end of its back-off, if there is one. */
    Optional<Instant> backOffUntil() {
        return resting ? Optional.of(restEnds) : Optional.empty();
    }

    /** Returns what keeps it out of the line, or would if it were not already leaving. */
    StandbyMember.Readiness readiness() {
        if (fencerStuck) {
            return StandbyMember.Readiness.STUCK;
        } else if (!healthy) {
            return StandbyMember.Readiness.UNFIT;
        }
        return resting ? StandbyMember.Readiness.WAITING : StandbyMember.Readiness.READY;
    }

    /** Handles a success of this node. */
    void succeeded() {
        failures = 0;
    }

    /** Leaves for good; completes when the candidacy has ended. */
    CompletableFuture<Void> close() {
        closing = true;
        rest.cancel();
        update();
        return closed;
    }

    private void update() {
        DefaultCandidacy standing = candidacy;
        boolean open = healthy && !fencerStuck && !resting && !closing;
        if (standing != null) {
            if (!open) {
                standing.closeAsync();
            }
        } else if (closing) {
            closed.complete(null);
        } else if (open) {
            stand();
        }
        changed.run();
    }

    private void stand() {
        if (obstacle.get().isPresent()) {
            backOff();
            return;
        }
        DefaultCandidacy standing = opening.get();
        candidacy = standing;
        Runnable leftTheLine = () -> {
            candidacy = null;
            update();
        };
        Futures.onDone(standing.ended(), (done, failure) -> {
            // If the loop has ended, nothing else runs any more.
            if (!loop.post(leftTheLine)) {
                leftTheLine.run();
            }
        });
    }
}
