package io.baton.config.internal.rollout;

import io.baton.Item;
import io.baton.config.ConfigException;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.RetryLoop;
import io.baton.config.internal.record.Space;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.Optional;

/** An attempt that reads a canary's record each time and continues from it. On the loop. */
abstract class CanaryAttempt<T> implements RetryLoop.Attempt {

    final Space space;
    final ConfigSpace store;
    final String id;
    final RetryLoop<T> tries;

    /** Creates one for the canary with this id, within this time. */
    CanaryAttempt(Space space, String id, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.id = id;
        this.tries = new RetryLoop<>(store, timeout);
    }

    /**
     * Handles the record that was read.
     *
     * @throws ConfigException as the outcome
     */
    abstract void found(Optional<Item> record);

    @Override
    public final void begin() {
        Futures.onDone(store.read(space.key(CanaryRecord.KEY)), (record, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else if (!tries.isDone()) {
                decide(record);
            }
        });
    }

    private void decide(Optional<Item> record) {
        try {
            found(record);
        } catch (ConfigException refused) {
            tries.fail(refused);
        }
    }

    /**
     * Returns the canary with the wanted id.
     *
     * @throws ConfigException if there is none
     */
    final CanaryRecord named(Optional<Item> record) {
        CanaryRecord canary = record.map(CanaryRecord::of)
                .orElseThrow(() -> new ConfigException("there is no canary " + id + ", nor any other"));
        if (!canary.id().equals(id)) {
            throw new ConfigException("there is no canary " + id + "; the one under way is " + canary.id());
        }
        return canary;
    }
}
