package io.baton.config.internal.store;

import io.baton.Item;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigException;
import io.baton.config.KeyChange;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.write.Draft;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Reads the history of a space. On the loop. */
final class History {

    private final Space space;

    History(Space space) {
        this.space = space;
    }

    /** Returns the last changes, newest first. */
    CompletableFuture<List<ConfigEntry>> last(int limit) {
        return space.head().thenCompose(head -> {
            long from = Math.max(head.oldest(), head.change() - limit + 1);
            return space.history(from, head.change()).thenApply(items -> {
                List<ConfigEntry> entries = new ArrayList<>(entries(items, head));
                Collections.reverse(entries);
                return List.copyOf(entries);
            });
        });
    }

    /** Returns the change with this number, if it is kept. */
    CompletableFuture<Optional<ConfigEntry>> change(long number) {
        return space.head()
                .thenCompose(head ->
                        space.history(number).thenApply(item -> item.map(record -> HistoryRecord.entry(record, head))));
    }

    /** Returns the differences between the states after two changes. */
    CompletableFuture<List<KeyChange>> diff(long from, long to) {
        return space.head().thenCompose(head -> {
            checkReachable(head, from);
            checkReachable(head, to);
            return between(head, Math.min(from, to), Math.max(from, to))
                    .thenApply(forth -> forth.stream()
                            .filter(change -> !change.before().equals(change.now()))
                            .map(change -> from <= to ? change : back(change))
                            .toList());
        });
    }

    /** Returns a draft that restores the state after this change. */
    CompletableFuture<Draft> rollback(long change) {
        return space.head().thenCompose(head -> {
            checkReachable(head, change);
            return between(head, change, head.change()).thenApply(forth -> {
                var texts = new TreeMap<String, Optional<String>>();
                var secrets = new TreeSet<String>();
                for (KeyChange each : forth) {
                    texts.put(each.key(), each.before());
                    if (each.secret() && each.before().isPresent()) {
                        secrets.add(each.key());
                    }
                }
                return new Draft(
                        texts,
                        new TreeMap<>(),
                        secrets,
                        new TreeSet<>(),
                        OptionalLong.of(head.change()),
                        Optional.empty(),
                        Optional.empty(),
                        "",
                        "rollback to " + change);
            });
        });
    }

    /**
     * Returns every key touched after {@code from} up to {@code to}, with its text before the first change and after
     * the last.
     */
    private CompletableFuture<List<KeyChange>> between(SpaceHead head, long from, long to) {
        return space.history(from + 1, to).thenApply(items -> {
            if (items.size() < to - from) {
                throw new ConfigException("the history does not reach back to change " + from + " any more");
            }
            Map<String, KeyChange> touched = new TreeMap<>();
            for (ConfigEntry entry : entries(items, head)) {
                entry.changes().forEach(change -> touched.merge(change.key(), change, History::then));
            }
            return List.copyOf(touched.values());
        });
    }

    private static KeyChange then(KeyChange first, KeyChange second) {
        return new KeyChange(first.key(), first.before(), second.now(), first.secret() || second.secret());
    }

    private static KeyChange back(KeyChange forth) {
        return new KeyChange(forth.key(), /* before= */ forth.now(), /* now= */ forth.before(), forth.secret());
    }

    private static List<ConfigEntry> entries(List<Item> items, SpaceHead head) {
        return items.stream().map(item -> HistoryRecord.entry(item, head)).toList();
    }

    /** Refuses an unknown state: the state after a change is known if all later changes are kept. */
    private void checkReachable(SpaceHead head, long change) {
        if (change < 0 || change > head.change()) {
            throw new ConfigException("there is no change " + change + " of "
                    + space.store().tree() + "; the last one is " + head.change());
        }
        if (change + 1 < head.oldest()) {
            throw new ConfigException("the history does not reach back to the state after change " + change
                    + ": the oldest change kept is " + head.oldest());
        }
    }
}
