package io.baton.internal.lock;

import io.baton.LockOptions;
import io.baton.RecordKey;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Resource;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Contends for a lock that may rest between two holds; see {@link DelayedPlace}. */
record DelayingContender(Resource lock, LockOptions options, ClientLoop loop) implements Entrant {

    @Override
    public CompletionStage<Boolean> isFree(Session session) {
        return session.isFree(lock.line())
                .thenCompose(free -> free ? rested(session) : CompletableFuture.completedFuture(false));
    }

    private CompletionStage<Boolean> rested(Session session) {
        return read(session)
                .thenApply(record -> record.map(last ->
                                last.rest(Duration.ZERO, loop.wallMillis()).isZero())
                        .orElse(true));
    }

    @Override
    public Place join(Session session, byte[] payload, PlaceListener to) {
        return new DelayedPlace(this, session, payload, to).begin();
    }

    @Override
    public CompletionStage<Void> leave(Place joined, boolean released) {
        return ((DelayedPlace) joined).leave(released);
    }

    /** Reads the record of the last hold. Fails if its contenders use other options than these. */
    CompletionStage<Optional<DelayRecord>> read(Session session) {
        return session.get(key()).thenApply(item -> {
            Optional<DelayRecord> record = item.map(DelayRecord::of);
            record.ifPresent(last -> last.check(lock, options));
            return record;
        });
    }

    RecordKey key() {
        return lock.record(DelayRecord.TREE);
    }
}
