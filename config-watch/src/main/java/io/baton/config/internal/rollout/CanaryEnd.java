package io.baton.config.internal.rollout;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.config.ConfigException;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.RetryLoop;
import io.baton.config.internal.record.Space;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Removes a canary. On the loop. */
public final class CanaryEnd extends CanaryAttempt<Boolean> {

    private boolean unknown;
    private boolean sent;

    private CanaryEnd(Space space, String id, Duration timeout) {
        super(space, id, timeout);
    }

    /** Removes it. Any thread; completes on the loop. */
    public static CompletableFuture<Boolean> of(Space space, String id, Duration timeout) {
        CanaryEnd end = new CanaryEnd(space, id, timeout);
        return end.tries.of(end);
    }

    @Override
    public String unknown() {
        return unknown || sent ? "the end of canary " + id : "";
    }

    @Override
    void found(Optional<Item> record) {
        try {
            var unused = named(record);
        } catch (ConfigException none) {
            if (unknown) {
                tries.complete(true);
                return;
            }
            throw none;
        }
        sent = true;
        var written = store.write(
                List.of(Guard.unchanged(record.orElseThrow())), List.of(Op.delete(space.key(CanaryRecord.KEY))));
        Futures.onDone(written, (applied, failure) -> {
            sent = false;
            if (failure != null) {
                unknown |= RetryLoop.uncertain(Futures.cause(failure));
                tries.failed(this, failure, this::begin);
            } else if (applied) {
                tries.complete(true);
            } else {
                tries.retryLater(this::begin);
            }
        });
    }
}
