package io.baton.internal.lock;

import io.baton.LockOptions;
import io.baton.RecordKey;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Condition;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Contends for a lock that may rest between two holds; see {@link DelayedPlace}. On the loop. */
final class DelayingContender implements Entrant {

    private final Resource lock;
    private final LockOptions options;
    private final ClientLoop loop;
    private final UnusedHolds unusedHolds;
    private final Troubles troubles;

    DelayingContender(Resource lock, LockOptions options, Acquisitions all, Troubles troubles) {
        this.lock = lock;
        this.options = options;
        this.loop = all.loop();
        this.unusedHolds = all.unusedHolds();
        this.troubles = troubles;
    }

    /** What is on record, and the condition that it is still. */
    record Read(Optional<DelayRecord> last, Condition unchanged) {}

    @Override
    public CompletionStage<Boolean> isFree(Session session) {
        return session.isFree(lock.line())
                .thenCompose(free -> free ? rested(session) : CompletableFuture.completedFuture(false));
    }

    private CompletionStage<Boolean> rested(Session session) {
        return read(session).thenCompose(read -> {
            DelayRecord last = read.last().orElse(null);
            boolean rested = last == null
                    || isUnused(last)
                    || last.rest(Duration.ZERO, loop.wallMillis()).isZero();
            return rested
                    ? CompletableFuture.completedFuture(true)
                    : noteGoneIfFree(session, read).handle((noted, failure) -> false);
        });
    }

    /** Looks at the line once more: the first look may have been older than the record. */
    private CompletionStage<Boolean> noteGoneIfFree(Session session, Read read) {
        return session.isFree(lock.line())
                .thenCompose(
                        free -> free ? noteGone(session, read, List.of()) : CompletableFuture.completedFuture(false));
    }

    @Override
    public Place join(Session session, byte[] payload, PlaceListener to) {
        return new DelayedPlace(this, session, payload, to).begin();
    }

    @Override
    public CompletionStage<Boolean> leave(Place joined, Ending ending, long heldSince) {
        return ((DelayedPlace) joined).leave(ending, heldSince);
    }

    @Override
    public boolean mayKeepEntries() {
        return !options.holdAtLeast().isZero();
    }

    @Override
    public CompletionStage<Void> kept(Place left) {
        return ((DelayedPlace) left).kept();
    }

    @Override
    public void lostUnused(Place joined) {
        ((DelayedPlace) joined).recorded().ifPresent(this::noteUnused);
    }

    /** Notes, for all attempts of this coordinator, that the hold with this token was never granted. */
    void noteUnused(long token) {
        unusedHolds.add(key(), token);
    }

    /** Whether this tells of a hold that nobody had. */
    boolean isUnused(DelayRecord last) {
        return unusedHolds.contain(key(), last);
    }

    /** If a hold that nobody had is on record, writes that it keeps nobody out. */
    void settleUnused(Session session, Read read) {
        read.last().filter(last -> isUnused(last) && !last.isServed()).ifPresent(last -> {
            var unused = session.transact(
                    List.of(read.unchanged()), List.of(last.asServed().put(key())));
        });
    }

    /** Reads the record of the last hold. Fails if its contenders use other options than these. */
    CompletionStage<Read> read(Session session) {
        return session.get(key()).thenApply(item -> {
            Optional<DelayRecord> record = item.map(DelayRecord::of);
            record.ifPresent(last -> last.check(lock, options));
            return new Read(
                    record,
                    item.<Condition>map(known -> new Condition.Unchanged(key(), known.revision()))
                            .orElseGet(() -> new Condition.Absent(key())));
        });
    }

    /**
     * Writes when the entry of the last hold was first found to be gone: from then on the rest passes for everybody.
     *
     * @param first the contender that is first in line; empty if the line is
     */
    CompletionStage<Boolean> noteGone(Session session, Read read, List<Condition> first) {
        Optional<DelayRecord> unnoted = read.last().filter(last -> last.goneAt() == 0);
        if (unnoted.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        var conditions = new ArrayList<>(first);
        conditions.add(read.unchanged());
        return session.transact(
                conditions, List.of(unnoted.get().asGone(loop.wallMillis()).put(key())));
    }

    /** Returns what reports that the store refuses the requests of one place again and again. */
    RepeatedRefusal refused() {
        return new RepeatedRefusal(() -> "Cannot acquire " + lock, troubles::report, troubles::resolved);
    }

    Resource lock() {
        return lock;
    }

    LockOptions options() {
        return options;
    }

    ClientLoop loop() {
        return loop;
    }

    RecordKey key() {
        return lock.record(DelayRecord.TREE);
    }
}
