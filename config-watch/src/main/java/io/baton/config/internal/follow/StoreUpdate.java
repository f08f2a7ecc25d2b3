package io.baton.config.internal.follow;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the store has told, on its way to whoever applies it. Two that follow each other can be told as one. */
public sealed interface StoreUpdate {

    /** This one and the next as one. */
    StoreUpdate then(StoreUpdate next);

    /** How a snapshot comes about. */
    enum Gap {
        /** It is the first. */
        NONE,
        /** The store could not tell for a while. */
        RESYNCED,
        /** The store is not where it was, or another one. */
        REWOUND
    }

    /**
     * All there is.
     *
     * @param known where the store was before, as far as that was told
     */
    record Whole(Gap gap, Position known, Position at, Map<String, Item> items) implements StoreUpdate {

        static Whole of(Gap gap, Position known, Position at, List<Item> all) {
            Map<String, Item> items = new HashMap<>();
            all.forEach(item -> items.put(item.key().name(), item));
            return new Whole(gap, known, at, items);
        }

        /** The same, by better knowledge. */
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

    /** What has changed; empty where a record is gone. */
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

    /** Nothing new, but what was rejected may be acceptable by now. */
    record Again() implements StoreUpdate {

        @Override
        public StoreUpdate then(StoreUpdate next) {
            return next;
        }
    }
}
