package io.baton.config.internal.rollout;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.Space;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks the instances that try a canary about it, and waits until each runs it and has no objection. An entry alone is
 * no proof, since its process may have been killed. On the loop.
 */
final class CanaryAsk extends CanaryAttempt<Item> {

    private List<String> objections = List.of();

    private CanaryAsk(Space space, String id, Duration timeout) {
        super(space, id, timeout);
    }

    /**
     * Asks. Any thread; completes on the loop with the canary's record at that time.
     *
     * @throws ConfigException as the outcome, if there is none of this id
     * @throws ConfigConflictException as the outcome, if it is held, or objections remain when the time is over
     */
    static CompletableFuture<Item> of(Space space, String id, Duration timeout) {
        CanaryAsk ask = new CanaryAsk(space, id, timeout);
        return ask.tries.of(ask);
    }

    /** Nothing is lost by asking again. */
    @Override
    public String unknown() {
        return "";
    }

    @Override
    public @Nullable ConfigException tooLate() {
        return objections.isEmpty()
                ? null
                : new ConfigConflictException("canary " + id + " is not promoted: " + String.join("; ", objections));
    }

    @Override
    void found(Optional<Item> record) {
        CanaryRecord again = unheld(record).askingAgain();
        var written = store.write(
                List.of(Guard.unchanged(record.orElseThrow())),
                List.of(Op.put(space.key(CanaryRecord.KEY), again.encode())));
        Futures.onDone(written, (applied, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else if (applied) {
                readBack(again.asked());
            } else {
                tries.retryLater(this::begin);
            }
        });
    }

    private CanaryRecord unheld(Optional<Item> record) {
        CanaryRecord canary = named(record);
        if (!canary.held().isEmpty()) {
            throw new ConfigConflictException("canary " + id + " is held: " + canary.held());
        }
        return canary;
    }

    private void readBack(long asked) {
        Futures.onDone(store.read(space.key(CanaryRecord.KEY)), (record, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, () -> readBack(asked));
            } else if (record.map(CanaryRecord::of)
                    .filter(now -> now.asked() >= asked)
                    .isPresent()) {
                awaitAnswers(record.get());
            } else {
                begin();
            }
        });
    }

    private void awaitAnswers(Item asked) {
        if (tries.isDone()) {
            return;
        }
        Futures.onDone(space.fleet(), (fleet, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, () -> awaitAnswers(asked));
                return;
            }
            objections = CanaryRecord.of(asked).shown().objections(fleet);
            if (objections.isEmpty()) {
                tries.complete(asked);
            } else {
                tries.retryLater(() -> awaitAnswers(asked));
            }
        });
    }
}
