package io.baton.recipes.internal;

import io.baton.Item;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordConflictException;
import io.baton.recipes.LatchState;
import io.baton.recipes.internal.RecordChange.Step;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The changes of a latch. Each writes a number of its own into the record, by which it is recognised if its outcome is
 * unknown. Any thread; futures complete on the loop.
 */
public final class LatchChanges {

    private static final long NO_ROUND = 0;

    private final String name;
    private final RecipeContext context;
    private final RecordKey key;

    /** Creates the changes of the latch of this name. */
    public LatchChanges(String name, RecipeContext context, RecordKey key) {
        this.name = name;
        this.context = context;
        this.key = key;
    }

    /** Reads the latch. */
    public CompletableFuture<LatchState> read() {
        return change(now -> new Step.Keep<>(LatchRecord.of(now).state()));
    }

    /** Opens the latch; whether this operation did. */
    public CompletableFuture<Boolean> open(int count) {
        return change(new OneRound() {
            @Override
            Step<Boolean> in(LatchRecord latch, String operation) {
                if (!latch.isOpen()) {
                    return new Step.Put<>(latch.open(count, operation).encode(), true);
                }
                if (latch.count() != count) {
                    throw new RecordConflictException("latch '" + name + "' is open for " + latch.count()
                            + " to count down in round " + latch.round() + ", and was to be opened for " + count);
                }
                return new Step.Keep<>(latch.opened().equals(operation));
            }
        });
    }

    /** Counts this id; whether this operation did. */
    public CompletableFuture<Boolean> countDown(String id) {
        return change(new OneRound() {
            @Override
            Step<Boolean> in(LatchRecord latch, String operation) {
                if (!latch.isOpen()) {
                    throw new RecordConflictException("latch '" + name + "' is not open in round " + latch.round()
                            + ": open(count) says how many have to count down");
                }
                String by = latch.counted().get(id);
                if (by != null) {
                    return new Step.Keep<>(by.equals(operation));
                }
                return latch.isReleased()
                        ? new Step.Keep<>(false)
                        : new Step.Put<>(latch.countDown(id, operation).encode(), true);
            }
        });
    }

    /** Begins the round after the present one, unless another operation does; the number of the present one then. */
    public CompletableFuture<Long> reset() {
        return change(new Reset());
    }

    private <R> CompletableFuture<R> change(RecordChange.Decision<R> decision) {
        return Futures.callOnLoop(context.loop(), () -> RecordChange.begin(context, key, decision));
    }

    /** A change in the round that is the present one when it is first tried. */
    private abstract class OneRound implements RecordChange.Decision<Boolean> {

        private final String operation = Long.toUnsignedString(context.loop().randomLong(), Character.MAX_RADIX);
        private long inDoubt = NO_ROUND;
        private long tried = NO_ROUND;

        @Override
        public Step<Boolean> on(Optional<Item> now) {
            LatchRecord latch = LatchRecord.of(now);
            if (inDoubt != NO_ROUND && latch.round() != inDoubt) {
                throw new OutcomeUnknownException("a change of latch '" + name + "' in round " + inDoubt
                        + " may have been applied: it was not answered, and the round has been reset since");
            }
            tried = latch.round();
            return in(latch, operation);
        }

        abstract Step<Boolean> in(LatchRecord latch, String operation);

        @Override
        public void unknown() {
            inDoubt = tried;
        }
    }

    private static final class Reset implements RecordChange.Decision<Long> {

        private long present = NO_ROUND;

        @Override
        public Step<Long> on(Optional<Item> now) {
            LatchRecord latch = LatchRecord.of(now);
            if (present == NO_ROUND) {
                present = latch.round();
            }
            if (latch.round() > present) {
                return new Step.Keep<>(latch.round());
            }
            LatchRecord next = latch.next();
            return new Step.Put<>(next.encode(), next.round());
        }
    }
}
