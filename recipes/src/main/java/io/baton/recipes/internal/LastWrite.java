package io.baton.recipes.internal;

import io.baton.Item;
import io.baton.RecordKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The record as one object wrote it last. While nobody else writes to it, the object's next change can be decided on
 * this without a read: its write is applied only if the record is still so. On the loop.
 *
 * <p>A write that fails costs more than a read, so nothing is assumed before a read has found the last write in place,
 * and after a write that has failed not before a read has found that again.
 */
final class LastWrite {

    private @Nullable Item last;
    private boolean undisturbed;

    /** Returns the record as it probably is; empty if it has to be read. */
    Optional<Item> assumed() {
        return undisturbed ? Optional.ofNullable(last) : Optional.empty();
    }

    /** The record was read. */
    void read(Optional<Item> now) {
        Item written = last;
        undisturbed = written != null
                && now.map(Item::revision).filter(written.revision()::equals).isPresent();
    }

    /** A write was applied, which wrote these records, as far as the store has said so. */
    void wrote(RecordKey key, List<Item> written) {
        last = written.stream()
                .filter(item -> item.key().equals(key))
                .findFirst()
                .orElse(null);
    }

    /** A write was not applied, or may not have been. */
    void forget() {
        last = null;
    }
}
