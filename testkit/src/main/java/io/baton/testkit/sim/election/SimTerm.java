package io.baton.testkit.sim.election;

import io.baton.election.Leadership;
import io.baton.election.StopReason;
import io.baton.testkit.sim.lock.LockTruth.Entry;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One term of a simulated candidate, and its work. */
final class SimTerm {

    private final SimCandidate owner;
    private final Leadership leadership;
    private long pausesBefore;
    private @Nullable StopReason told;

    /** Completes when the work has stopped. */
    final CompletableFuture<Void> work = new CompletableFuture<>();

    /** Since when it is not certain to lead; negative if it is. */
    long uncertainSince = -1;

    /** Its entry, if it stood when the work began. */
    @Nullable
    Entry entry;

    private long validUntil;

    SimTerm(SimCandidate owner, Leadership leadership) {
        this.owner = owner;
        this.leadership = leadership;
        this.pausesBefore = owner.process().pauses();
    }

    SimCandidate owner() {
        return owner;
    }

    Leadership leadership() {
        return leadership;
    }

    long token() {
        return leadership.term();
    }

    /** Notes until when it is certain to lead. */
    void look() {
        long left = leadership.remaining().toNanos();
        if (left > 0) {
            validUntil = owner.process().nanoTime() + left;
        }
    }

    /** Whether it was certain to lead at this moment, when it was looked at last, whatever has become of it since. */
    boolean wasValid() {
        return validUntil - owner.process().nanoTime() > 0;
    }

    boolean valid() {
        return !leadership.remaining().isZero();
    }

    long pausesBefore() {
        return pausesBefore;
    }

    void seenPauses() {
        pausesBefore = owner.process().pauses();
    }

    boolean told() {
        return told != null;
    }

    /** The work is told to stop: once. */
    void tell(StopReason why) {
        if (told != null) {
            throw new AssertionError(this + " was told to stop twice: " + told + ", " + why);
        }
        told = why;
    }

    @Override
    public String toString() {
        return owner.process().name() + "'s term " + Long.toHexString(token()) + " (told " + told + ", "
                + leadership.remaining() + " left)";
    }
}
