package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.Telemetry.NotGranted.Reason;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt in a {@link Cohort}, and then the owner of its hold. On the loop, except the methods of {@link
 * AcquireAttempt} and {@link FencedHold.Owner}.
 */
final class CohortMember implements AcquireAttempt, FencedHold.Owner {

    private final Acquisitions all;
    private final boolean noWait;
    private final @Nullable Duration limit;
    private final AcquisitionTelemetry telemetry;
    private final CompletableFuture<Optional<FencedHold>> decision = new CompletableFuture<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private Loop.Timer limitTimer = () -> {};
    private volatile @Nullable Cohort cohort;
    private volatile @Nullable Acquisition place;
    private @Nullable FencedHold hold;
    private boolean released;

    CohortMember(Acquisitions all, Resource lock, boolean noWait, @Nullable Duration limit) {
        this.all = all;
        this.noWait = noWait;
        this.limit = limit;
        this.telemetry = all.telemetry(lock.label());
    }

    // ---- any thread

    @Override
    public CompletableFuture<Optional<FencedHold>> decision() {
        return decision;
    }

    @Override
    public void giveUp() {
        all.loop().post(() -> cohort().givesUp(this, Reason.CANCELLED));
    }

    @Override
    public void cancel() {
        giveUp();
        var unused = release();
    }

    @Override
    public CompletableFuture<Void> release() {
        Cohort joined = cohort;
        boolean stays = joined != null && joined.keepsItsPlace();
        all.loop().post(() -> {
            released = true;
            cohort().passOn(this);
        });
        return stays ? CompletableFuture.completedFuture(null) : over;
    }

    @Override
    public void expired() {
        place().expired();
    }

    @Override
    public void doubted() {
        place().doubted();
    }

    @Override
    public Subscription onReleaseRequested(FencedHold of, Consumer<ReleaseRequest> listener) {
        all.loop().post(() -> cohort().listensToRequests(this));
        return place().onReleaseRequested(of, listener);
    }

    @Override
    public CompletableFuture<Void> downgrade() {
        throw new UnsupportedOperationException("the hold of a mutex cannot be downgraded");
    }

    /** Fails it, as the coordinator has stopped before it began. */
    void refuse() {
        all.dismiss();
        decision.completeExceptionally(RecipeContext.closedException());
    }

    // ---- called by the cohort

    /** Begins to wait in this cohort. */
    void join(Cohort joined) {
        cohort = joined;
        telemetry.started();
        if (limit != null) {
            limitTimer = all.loop().after(limit, () -> joined.timedOut(this, limit));
        }
    }

    /** Whether it gives up instead of waiting behind others. */
    boolean noWait() {
        return noWait;
    }

    /** Returns what the hold is reported to. */
    AcquisitionTelemetry telemetry() {
        return telemetry;
    }

    /** Gives it a hold of this place. */
    void grant(Acquisition of, FencedHold granted) {
        decided();
        place = of;
        hold = granted;
        granted.guardedWrites().onNone(() -> all.loop().post(() -> cohort().passOn(this)));
        telemetry.granted(granted);
        decision.complete(Optional.of(granted));
    }

    /** Ends it without a hold. */
    void leave(Reason why) {
        decided();
        telemetry.notGranted(why, "");
        telemetry.done();
        decision.complete(Optional.empty());
    }

    /** Ends it with a failure. */
    void fail(Reason reason, CoordinationException why) {
        decided();
        telemetry.notGranted(reason, String.valueOf(why.getMessage()));
        telemetry.done();
        decision.completeExceptionally(why);
    }

    private void decided() {
        limitTimer.cancel();
        all.dismiss();
    }

    /** Whether its owner has released the hold, and nothing of it is under way. */
    boolean isOver() {
        return released && hold != null && !hold.guardedWrites().areUnderWay();
    }

    /** Whether the place may pass to another owner of this process. What may still be applied needs another entry. */
    boolean mayBeFollowed() {
        return hold != null && !hold.guardedWrites().areInDoubt();
    }

    /** The place has passed to another owner, or to none. */
    void succeeded() {
        over.complete(null);
    }

    /** The place is left, or lost. */
    void endsWith(CompletableFuture<Void> removal) {
        Futures.onDone(removal, (done, failure) -> {
            if (failure == null) {
                over.complete(null);
            } else {
                over.completeExceptionally(Futures.cause(failure));
            }
        });
    }

    private Cohort cohort() {
        Cohort joined = cohort;
        if (joined == null) {
            throw new IllegalStateException("in no cohort");
        }
        return joined;
    }

    private Acquisition place() {
        Acquisition granted = place;
        if (granted == null) {
            throw new IllegalStateException("not granted");
        }
        return granted;
    }
}
