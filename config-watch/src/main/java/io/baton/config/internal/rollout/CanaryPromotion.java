package io.baton.config.internal.rollout;

import io.baton.Item;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.write.Commit;
import io.baton.config.internal.write.Draft;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Promotes a canary: asks the instances that try it, then writes the change if neither the canary nor its keys were
 * written since. If the only such write is another request, it asks again. On the loop.
 */
public final class CanaryPromotion {

    private final Space space;
    private final ConfigSpace store;
    private final String id;
    private final String author;
    private final Duration limit;
    private final long begunNanos;
    private final CompletableFuture<ConfigCommit> result = new CompletableFuture<>();

    private CanaryPromotion(Space space, String id, String author, Duration limit) {
        this.space = space;
        this.store = space.store();
        this.id = id;
        this.author = author;
        this.limit = limit;
        this.begunNanos = store.loop().nanoTime();
    }

    /**
     * Promotes it, with this limit for each step. Any thread; completes on the loop. If the caller completes the future
     * first, it stops.
     *
     * @throws ConfigException as the outcome, if there is none of this id
     * @throws ConfigConflictException as the outcome, if there are objections, or one of its keys was written since
     */
    public static CompletableFuture<ConfigCommit> of(Space space, String id, String author, Duration limit) {
        CanaryPromotion promotion = new CanaryPromotion(space, id, author, limit);
        promotion.ask();
        return promotion.result;
    }

    private void ask() {
        then(CanaryAsk.of(space, id, limit), this::write, result::completeExceptionally);
    }

    private void write(Item asked) {
        then(Commit.of(space, change(asked), limit), result::complete, failure -> refused(asked, failure));
    }

    private void refused(Item asked, Throwable failure) {
        boolean late = store.loop().nanoTime() - begunNanos > limit.toNanos();
        if (late || !(failure instanceof ConfigConflictException)) {
            result.completeExceptionally(failure);
            return;
        }
        then(
                store.read(space.key(CanaryRecord.KEY)),
                now -> {
                    if (wasAskedAgain(asked, now)) {
                        ask();
                    } else {
                        result.completeExceptionally(failure);
                    }
                },
                result::completeExceptionally);
    }

    /** Returns whether another client promotes it at the same time, and has only asked so far. */
    private boolean wasAskedAgain(Item asked, Optional<Item> now) {
        return now.filter(record -> !record.revision().equals(asked.revision()))
                .map(CanaryRecord::of)
                .filter(record -> record.mayBeHeld(id))
                .isPresent();
    }

    private <T> void then(CompletableFuture<T> step, Consumer<T> next, Consumer<Throwable> failed) {
        Futures.onDone(result, (done, failure) -> step.cancel(false));
        Futures.onDone(step, (value, failure) -> {
            if (failure == null) {
                continueWith(() -> next.accept(value));
            } else {
                failed.accept(Futures.cause(failure));
            }
        });
    }

    private void continueWith(Runnable next) {
        try {
            next.run();
        } catch (ConfigException unreadable) {
            result.completeExceptionally(unreadable);
        }
    }

    private Draft change(Item asked) {
        CanaryRecord canary = CanaryRecord.of(asked);
        var texts = new TreeMap<String, Optional<String>>();
        var expected = new TreeMap<String, Long>();
        canary.keys().forEach((key, to) -> {
            texts.put(key, Optional.ofNullable(to.now()));
            expected.put(key, to.base());
        });
        String comment = "canary " + id + (canary.comment().isEmpty() ? "" : ": " + canary.comment());
        return new Draft(
                texts,
                expected,
                new TreeSet<>(),
                new TreeSet<>(),
                OptionalLong.empty(),
                Optional.of(asked),
                Optional.empty(),
                author,
                comment);
    }
}
