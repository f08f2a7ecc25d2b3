package io.baton.recipes.internal;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.SessionState;
import io.baton.recipe.RecipeContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The record as one object wrote it last. The object decides its next change on this, without a read, as long as no
 * other object writes. The write is applied only if the record is still so. On the loop.
 *
 * <p>A write that fails costs more than a read, so nothing is assumed before a read has found the last write in place,
 * and after a write that has failed not before a read has found that again.
 *
 * <p>Whoever reads first needs a record that does not change between its read and its write. So after a few changes
 * without a read comes one with it, which leaves others as much time. And a write is not relied upon for long, as by
 * then the store may have been set back to an older state.
 */
final class LastWrite {

    static final int MOST_IN_A_ROW = 4;
    static final Duration RELIED_UPON = Duration.ofSeconds(5);

    private final RecipeContext context;
    private @Nullable Item last;
    private long at;
    private boolean undisturbed;
    private int inARow;

    LastWrite(RecipeContext context) {
        this.context = context;
    }

    /** Returns the record as it probably is; empty if it has to be read. */
    Optional<Item> assumed() {
        boolean may = undisturbed
                && inARow < MOST_IN_A_ROW
                && context.loop().nanoTime() - at < RELIED_UPON.toNanos()
                && context.inContact()
                && context.state() != SessionState.CLOSED;
        return may ? Optional.ofNullable(last) : Optional.empty();
    }

    /** The record was read. */
    void read(Optional<Item> now) {
        Item written = last;
        undisturbed = written != null
                && now.map(Item::revision).filter(written.revision()::equals).isPresent();
        inARow = 0;
    }

    /** A write was applied, which wrote these records, as far as the store has said so. */
    void wrote(RecordKey key, List<Item> written) {
        last = written.stream()
                .filter(item -> item.key().equals(key))
                .findFirst()
                .orElse(null);
        at = context.loop().nanoTime();
        inARow++;
    }

    /** A write was not applied, or may not have been. */
    void forget() {
        last = null;
    }
}
