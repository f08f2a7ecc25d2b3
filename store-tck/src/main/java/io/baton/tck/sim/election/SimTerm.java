package io.baton.tck.sim.election;

import io.baton.election.Leadership;
import io.baton.election.StopReason;
import io.baton.tck.sim.lock.LockTruth.Entry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One term of a simulated candidate, and its work. */
final class SimTerm {

    private final SimCandidate owner;
    private final Leadership leadership;
    private final int sessionsLostBefore;
    private long pausesBefore;
    private @Nullable StopReason told;
    private boolean lastResort;

    /** Completes when the work has stopped. */
    final CompletableFuture<Void> work = new CompletableFuture<>();

    /** When its leadership became uncertain; negative if it is certain. */
    long uncertainSince = -1;

    /** Since when its work has ignored a stop signal; negative if there was none. */
    long overdueSince = -1;

    /** Its entry, if it stood when the work began. */
    @Nullable
    Entry entry;

    private long validUntil;
    private Duration most = Duration.ZERO;

    SimTerm(SimCandidate owner, Leadership leadership) {
        this.owner = owner;
        this.leadership = leadership;
        this.sessionsLostBefore = owner.sessionsLost();
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

    /** Records until when it is certain to lead, and the longest such time. */
    void look() {
        Duration left = leadership.remaining();
        if (!left.isZero()) {
            validUntil = owner.process().nanoTime() + left.toNanos();
        }
        most = left.compareTo(most) > 0 ? left : most;
    }

    /** Whether, as of the last look, it was certain to lead until after this moment. */
    boolean wasValid() {
        return validUntil - owner.process().nanoTime() > 0;
    }

    boolean valid() {
        return !leadership.remaining().isZero();
    }

    /** Whether its process is paused, or was since the last look; then no limits apply. */
    boolean interrupted() {
        long pauses = owner.process().pauses();
        boolean paused = owner.process().paused() || pauses != pausesBefore;
        pausesBefore = pauses;
        return paused;
    }

    boolean told() {
        return told != null;
    }

    /** Whether its session has not ended, nor is about to, as far as the client knows. */
    boolean inItsSession() {
        return !owner.leaving() && owner.sessionsLost() == sessionsLostBefore;
    }

    /** Whether its work must have a stop signal by now. */
    boolean uncertain() {
        return !valid() || owner.endangered(leadership.remaining(), most.dividedBy(2));
    }

    /** Records the last resort; allowed once. */
    void takeLastResort() {
        if (lastResort) {
            throw new AssertionError("the last resort was taken twice for " + this);
        }
        lastResort = true;
    }

    boolean lastResort() {
        return lastResort;
    }

    /** Records the stop signal; allowed once. */
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
