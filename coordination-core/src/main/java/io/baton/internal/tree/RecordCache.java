package io.baton.internal.tree;

import io.baton.Item;
import io.baton.RecordKey;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A listener of one record. The first state in a new session is reported only if it differs. On the loop. */
final class RecordCache {

    private final RecordKey key;
    private final Consumer<Optional<Item>> to;
    private boolean begun;
    private boolean over;
    private @Nullable Item told;

    RecordCache(RecordKey key, Consumer<Optional<Item>> to) {
        this.key = key;
        this.to = to;
    }

    RecordKey key() {
        return key;
    }

    void present(@Nullable Item now) {
        if (!over && !(begun && same(told, now))) {
            begun = true;
            told = now;
            to.accept(Optional.ofNullable(now));
        }
    }

    void end() {
        over = true;
    }

    private static boolean same(@Nullable Item one, @Nullable Item other) {
        return Optional.ofNullable(one)
                .map(Item::revision)
                .equals(Optional.ofNullable(other).map(Item::revision));
    }
}
