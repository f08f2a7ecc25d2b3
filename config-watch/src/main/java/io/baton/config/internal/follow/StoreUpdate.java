package io.baton.config.internal.follow;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An update from the store that is yet to be applied. Consecutive ones can be merged. */
public sealed interface StoreUpdate {

    /** Merges this one and the next. */
    StoreUpdate then(StoreUpdate next);

    /** The gap before a snapshot. */
    enum Gap {
        /** There is none; it is the first snapshot. */
        NONE,
        /** Updates from the store were interrupted. */
        RESYNCED,
        /** The store was set back or replaced. */
        REWOUND
    }

    /**
     * A snapshot.
     *
     * @param known the store's last known position
     */
    record Whole(Gap gap, Position known, Position at, Map<String, Item> items) implements StoreUpdate {

        static Whole of(Gap gap, Position known, Position at, List<Item> all) {
            Map<String, Item> items = new HashMap<>();
            all.forEach(item -> items.put(item.key().name(), item));
            return new Whole(gap, known, at, items);
        }

        /** Returns the same snapshot after a detected reset. */
        public Whole rewound() {
            return new Whole(Gap.REWOUND, known, at, items);
        }

        @Override
        public StoreUpdate then(StoreUpdate next) {
            if (next instanceof Again) {
                return this;
            }
            if (next instanceof Part part) {
                Map<String, Item> all = new HashMap<>(items);
                part.changes()
                        .forEach((name, item) ->
                                item.ifPresentOrElse(now -> all.put(name, now), () -> all.remove(name)));
                return new Whole(gap, known, part.at(), all);
            }
            Whole later = (Whole) next;
            boolean lesser = later.gap().compareTo(gap) < 0;
            return lesser ? new Whole(gap, known, later.at(), later.items()) : later;
        }
    }

    /** Changed records; empty where a record is gone. */
    record Part(Position at, Map<String, Optional<Item>> changes) implements StoreUpdate {

        static Part of(Position at, List<Item> put, List<RecordKey> gone) {
            Map<String, Optional<Item>> changes = new HashMap<>();
            put.forEach(item -> changes.put(item.key().name(), Optional.of(item)));
            gone.forEach(key -> changes.put(key.name(), Optional.empty()));
            return new Part(at, changes);
        }

        @Override
        public StoreUpdate then(StoreUpdate next) {
            if (next instanceof Part later) {
                Map<String, Optional<Item>> all = new HashMap<>(changes);
                all.putAll(later.changes());
                return new Part(later.at(), all);
            }
            return next instanceof Again ? this : next;
        }
    }

    /** Nothing new from the store, but a rejected state may be acceptable by now. */
    record Again() implements StoreUpdate {

        @Override
        public StoreUpdate then(StoreUpdate next) {
            return next;
        }
    }
}
