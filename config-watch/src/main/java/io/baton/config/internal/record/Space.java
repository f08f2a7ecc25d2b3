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

/** Reads a space. On the loop, as what it answers. */
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

    /** What Baton knows of it. */
    public CompletableFuture<SpaceHead> head() {
        return read(List.of()).thenApply(SpaceRead::head);
    }

    /** One record, and what Baton knows of the space, not before it: a mark that came with a value is seen with it. */
    public CompletableFuture<SpaceRead> readOne(String name) {
        return store.read(key(name))
                .thenCompose(item -> read(List.of()).thenApply(present -> present.with(name, item)));
    }

    /** What Baton knows of it, and these records of it. */
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

    /** All values with what Baton knows of the space, as they were together. */
    public CompletableFuture<SpaceRead> readAll() {
        return store.all(store.tree()).thenCompose(items -> {
            Map<String, Optional<Item>> records = new LinkedHashMap<>();
            items.forEach(item -> records.put(item.key().name(), Optional.of(item)));
            Optional<Item> record = records.getOrDefault(SpaceHead.KEY, Optional.empty());
            return head(record).thenApply(head -> new SpaceRead(store.tree(), head, record, records));
        });
    }

    /** Who follows it. */
    public CompletableFuture<List<FleetMember>> fleet() {
        return store.fleetEntries().thenApply(entries -> {
            // An instance that has just said something new may stand there twice; the later entry is the newer.
            SortedMap<String, FleetMember> newest = new TreeMap<>();
            entries.forEach(entry -> FleetRecord.member(entry)
                    .ifPresent(member -> newest.put(member.id() + "\n" + member.process(), member)));
            return List.copyOf(newest.values());
        });
    }

    /** The place in the history of the change of this number. */
    public CompletableFuture<Optional<Item>> history(long number) {
        return store.read(historyKey(number));
    }

    public static Optional<HistoryRecord> parsed(Optional<Item> record) {
        return record.map(HistoryRecord::of);
    }

    /** Those that are kept of these changes, the first first. */
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
     * What there is to know without the record that says it: it was never written, or another program has removed it, perhaps with
     * all values. Then the history goes on where it ends.
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
