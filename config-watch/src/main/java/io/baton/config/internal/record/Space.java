package io.baton.config.internal.record;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.config.FleetMember;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** Reads a space. On the loop, as are its results. */
public final class Space {

    private final ConfigSpace store;

    public Space(ConfigSpace store) {
        this.store = store;
    }

    public ConfigSpace store() {
        return store;
    }

    public RecordKey key(String name) {
        return new RecordKey(store.tree(), name);
    }

    public RecordKey historyKey(long number) {
        return HistoryRecord.key(store.tree(), number);
    }

    /** Reads Baton's data on the space. */
    public CompletableFuture<SpaceHead> head() {
        return read(List.of()).thenApply(SpaceRead::head);
    }

    /** Reads one record, and then Baton's data, so that a mark written with the value is seen with it. */
    public CompletableFuture<SpaceRead> readOne(String name) {
        return store.read(key(name))
                .thenCompose(item -> read(List.of()).thenApply(present -> present.with(name, item)));
    }

    /** Reads Baton's data, and these records of the space. */
    public CompletableFuture<SpaceRead> read(Collection<String> names) {
        List<String> wanted = List.copyOf(names);
        List<RecordKey> keys = new ArrayList<>();
        wanted.forEach(name -> keys.add(key(name)));
        keys.add(key(SpaceHead.KEY));
        return store.read(keys).thenCompose(items -> {
            Map<String, Optional<Item>> records = new LinkedHashMap<>();
            for (int i = 0; i < wanted.size(); i++) {
                records.put(wanted.get(i), items.get(i));
            }
            Optional<Item> record = items.get(wanted.size());
            return head(record).thenApply(head -> new SpaceRead(store.tree(), head, record, records));
        });
    }

    /** Reads all values and Baton's data in one consistent snapshot. */
    public CompletableFuture<SpaceRead> readAll() {
        return store.all(store.tree()).thenCompose(items -> {
            Map<String, Optional<Item>> records = new LinkedHashMap<>();
            items.forEach(item -> records.put(item.key().name(), Optional.of(item)));
            Optional<Item> record = records.getOrDefault(SpaceHead.KEY, Optional.empty());
            return head(record).thenApply(head -> new SpaceRead(store.tree(), head, record, records));
        });
    }

    /** Reads the instances that follow it. */
    public CompletableFuture<List<FleetMember>> fleet() {
        return store.fleetEntries().thenApply(entries -> {
            // An instance that has just published may have two entries; the later one is newer.
            SortedMap<String, FleetMember> newest = new TreeMap<>();
            entries.forEach(entry -> FleetRecord.member(entry)
                    .ifPresent(member -> newest.put(member.id() + "\n" + member.process(), member)));
            return List.copyOf(newest.values());
        });
    }

    /** Reads the history's record of the change with this number. */
    public CompletableFuture<Optional<Item>> history(long number) {
        return store.read(historyKey(number));
    }

    public static Optional<HistoryRecord> parsed(Optional<Item> record) {
        return record.map(HistoryRecord::of);
    }

    /** Reads the kept ones of these changes, oldest first. */
    public CompletableFuture<List<Item>> history(long from, long to) {
        List<RecordKey> keys =
                LongStream.rangeClosed(from, to).mapToObj(this::historyKey).toList();
        return store.read(keys)
                .thenApply(items -> items.stream().flatMap(Optional::stream).toList());
    }

    private CompletableFuture<SpaceHead> head(Optional<Item> record) {
        return record.isPresent()
                ? CompletableFuture.completedFuture(SpaceHead.of(record))
                : store.all(HistoryRecord.tree(store.tree())).thenApply(Space::recovered);
    }

    /**
     * Reconstructs Baton's data when its record is missing: it was never written, or another program has removed it,
     * perhaps with all values. Numbering then continues after the last change in the history.
     */
    private static SpaceHead recovered(List<Item> history) {
        SortedMap<Long, Integer> sizes = new TreeMap<>();
        SortedSet<String> secrets = new TreeSet<>();
        for (Item item : history) {
            HistoryRecord.number(item.key()).ifPresent(number -> {
                sizes.put(number, item.value().length);
                HistoryRecord.of(item).all().forEach((key, what) -> {
                    if (what.secret()) {
                        secrets.add(key);
                    }
                });
            });
        }
        SpaceHead head = SpaceHead.NONE.secrets(secrets);
        if (sizes.isEmpty()) {
            return head;
        }
        Kept kept = Kept.NOTHING;
        for (long number = sizes.firstKey(); number <= sizes.lastKey(); number++) {
            kept = kept.with(sizes.getOrDefault(number, 0));
        }
        return new SpaceHead(
                sizes.lastKey(),
                sizes.firstKey(),
                head.retain(),
                head.retainBytes(),
                kept,
                head.secrets(),
                head.formerly());
    }
}
