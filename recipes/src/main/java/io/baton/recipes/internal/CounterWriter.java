package io.baton.recipes.internal;

import com.google.common.hash.Hashing;
import io.baton.Item;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Texts;
import io.baton.recipes.internal.RecordChange.Step;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The changes that one object makes to a counter, in batches: one is under way, and those that come meanwhile make up
 * the next. A change that has waited for the request timeout fails, and is not applied.
 *
 * <p>A batch whose outcome is unknown is recognised by its number: the record keeps the last one of each writer.
 */
public final class CounterWriter {

    private static final int MOST_AT_ONCE = 100;

    private final RecipeContext context;
    private final RecordKey key;
    private final int remembered;
    private final String id;

    // On the loop.
    private final ArrayDeque<Change<?>> waiting = new ArrayDeque<>();
    private final LastWrite last;
    private long batches;
    private boolean busy;
    private boolean timed;

    /**
     * Creates a writer to the counter of this key.
     *
     * @param remembered how many operations that count once the record keeps
     */
    public CounterWriter(RecipeContext context, RecordKey key, int remembered) {
        this.context = context;
        this.key = key;
        this.remembered = remembered;
        this.last = new LastWrite(context);
        this.id = Long.toUnsignedString(context.loop().randomLong(), Character.MAX_RADIX);
    }

    /** Reads the number. Completes on the loop. */
    public CompletableFuture<Long> read() {
        return context.records().read(key).thenApply(now -> CounterState.of(now).value());
    }

    /** Adds to the number; the new one. Completes on the loop. */
    public CompletableFuture<Long> add(long delta) {
        return submit(new Change<>(null) {
            @Override
            Long update(long value) {
                return sum(value, delta);
            }

            @Override
            Long result(long value, boolean changed) {
                return value;
            }
        });
    }

    /** Adds to the number unless this operation has been counted; whether it had not. Completes on the loop. */
    public CompletableFuture<Boolean> addOnce(long delta, String operation) {
        return submit(new Flagged(hash(operation)) {
            @Override
            Long update(long value) {
                return sum(value, delta);
            }
        });
    }

    /** Sets the number if it is the expected one; whether it was. Completes on the loop. */
    public CompletableFuture<Boolean> compareAndSet(long expected, long update) {
        return submit(new Flagged(null) {
            @Override
            @Nullable
            Long update(long value) {
                return value == expected ? update : null;
            }
        });
    }

    private static String hash(String operation) {
        return Hashing.murmur3_128()
                .hashString(operation, StandardCharsets.UTF_8)
                .toString();
    }

    private static long sum(long value, long delta) {
        try {
            return Math.addExact(value, delta);
        } catch (ArithmeticException outOfRange) {
            throw new IllegalArgumentException("adding " + delta + " to " + value + " is out of range", outOfRange);
        }
    }

    private <R> CompletableFuture<R> submit(Change<R> change) {
        return Futures.callOnLoop(context.loop(), () -> {
            if (waiting.size() == RecordChange.MOST_WAITING) {
                throw notApplied(RecordChange.MOST_WAITING + " others wait for the store");
            }
            change.end = context.loop().nanoTime() + context.requestTimeout().toNanos();
            waiting.add(change);
            next();
            timeFirst();
            return change.outcome;
        });
    }

    /** The first that waits is the first whose time is over. */
    private void timeFirst() {
        Change<?> first = waiting.peek();
        if (first != null && !timed) {
            timed = true;
            Duration left = Duration.ofNanos(first.end - context.loop().nanoTime());
            context.loop().after(left, () -> {
                timed = false;
                dropLate();
                timeFirst();
            });
        }
    }

    private void dropLate() {
        long now = context.loop().nanoTime();
        for (Change<?> first = waiting.peek(); first != null && first.end - now <= 0; first = waiting.peek()) {
            waiting.remove();
            first.outcome.completeExceptionally(
                    notApplied("it has waited for others for " + Texts.of(context.requestTimeout())));
        }
    }

    private StoreUnavailableException notApplied(String why) {
        return new StoreUnavailableException(key + " was not changed: " + why);
    }

    private void next() {
        if (busy || waiting.isEmpty()) {
            return;
        }
        busy = true;
        List<Change<?>> changes = new ArrayList<>();
        while (!waiting.isEmpty() && changes.size() < MOST_AT_ONCE) {
            changes.add(waiting.remove());
        }
        Futures.onDone(RecordChange.begin(context, key, new BatchDecision(changes), last), (batch, failure) -> {
            busy = false;
            if (failure == null) {
                batch.outcomes.forEach(Runnable::run);
            } else {
                changes.forEach(each -> each.outcome.completeExceptionally(Futures.cause(failure)));
            }
            next();
        });
    }

    /** One of a user's changes. */
    private abstract static class Change<R> {

        /** What it is counted by, if it counts once. */
        private final @Nullable String once;

        private final CompletableFuture<R> outcome = new CompletableFuture<>();

        /** When it is no longer begun. */
        private long end;

        Change(@Nullable String once) {
            this.once = once;
        }

        /** Returns the next value; null if this value stays. */
        abstract @Nullable Long update(long value);

        abstract R result(long value, boolean changed);

        /** Decides on this value, and adds what becomes of it to the batch. Returns the next value, if there is one. */
        Optional<Long> decide(long value, boolean counted, List<Runnable> outcomes) {
            try {
                Long next = counted ? null : update(value);
                R result = result(next == null ? value : next, next != null);
                outcomes.add(() -> outcome.complete(result));
                return Optional.ofNullable(next);
            } catch (IllegalArgumentException refused) {
                outcomes.add(() -> outcome.completeExceptionally(refused));
                return Optional.empty();
            }
        }
    }

    /** One whose result is whether it changed the number. */
    private abstract static class Flagged extends Change<Boolean> {

        Flagged(@Nullable String once) {
            super(once);
        }

        @Override
        Boolean result(long value, boolean changed) {
            return changed;
        }
    }

    /**
     * A batch, decided on one state of the record.
     *
     * @param base the revision of that state; empty if there was no record
     * @param forgotten how many writers that state had forgotten
     * @param next what is to be written; empty if no change changes the number
     * @param outcomes what becomes of the changes once the batch is applied
     */
    private record Batch(
            long number,
            Optional<Revision> base,
            long forgotten,
            Optional<CounterState> next,
            List<Runnable> outcomes) {}

    private final class BatchDecision implements RecordChange.Decision<Batch> {

        private final List<Change<?>> changes;
        private @Nullable Batch decided;
        private boolean inDoubt;

        BatchDecision(List<Change<?>> changes) {
            this.changes = changes;
        }

        @Override
        public Step<Batch> on(Optional<Item> now) {
            CounterState state = CounterState.of(now);
            Optional<Revision> revision = now.map(Item::revision);
            Batch batch = decided;
            if (batch == null || !batch.base.equals(revision)) {
                if (batch != null && inDoubt && isApplied(batch, state)) {
                    return new Step.Keep<>(batch);
                }
                inDoubt = false;
                batch = decide(state, revision);
                decided = batch;
            }
            Batch result = batch;
            return batch.next
                    .<Step<Batch>>map(next -> new Step.Put<>(next.encode(), result))
                    .orElseGet(() -> new Step.Keep<>(result));
        }

        /** The record has changed since. If that was not by the batch, the batch will never be applied. */
        private boolean isApplied(Batch batch, CounterState state) {
            Long latest = state.writers().get(id);
            if (latest == null && state.forgotten() != batch.forgotten) {
                throw new OutcomeUnknownException("a change of " + key + " may have been applied: it was not answered,"
                        + " and too many others have changed the number since");
            }
            return latest != null && latest == batch.number;
        }

        private Batch decide(CounterState state, Optional<Revision> revision) {
            long value = state.value();
            boolean changed = false;
            Set<String> counted = new HashSet<>(state.counted());
            List<String> newlyCounted = new ArrayList<>();
            List<Runnable> outcomes = new ArrayList<>();
            for (Change<?> each : changes) {
                boolean before = each.once != null && counted.contains(each.once);
                Optional<Long> next = each.decide(value, before, outcomes);
                if (next.isPresent()) {
                    value = next.get();
                    changed = true;
                    if (each.once != null) {
                        counted.add(each.once);
                        newlyCounted.add(each.once);
                    }
                }
            }
            long number = ++batches;
            Optional<CounterState> written =
                    changed ? Optional.of(state.after(id, number, value, newlyCounted, remembered)) : Optional.empty();
            return new Batch(number, revision, state.forgotten(), written, outcomes);
        }

        @Override
        public void unknown() {
            inDoubt = true;
        }
    }
}
