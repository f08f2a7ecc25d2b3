package io.baton.internal.client;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Records;
import io.baton.RecordsListener;
import io.baton.Subscription;
import io.baton.internal.session.SessionRegistry;
import io.baton.internal.tree.Observation;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.RecordAccess;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** One tree of records. Any thread. */
final class StoredRecords implements Records {

    private final String tree;
    private final RecordAccess records;
    private final SessionRegistry<Observation> observations;
    private final Callbacks callbacks;

    StoredRecords(String tree, RecordAccess records, SessionRegistry<Observation> observations, Callbacks callbacks) {
        this.tree = tree;
        this.records = records;
        this.observations = observations;
        this.callbacks = callbacks;
    }

    @Override
    public String tree() {
        return tree;
    }

    @Override
    public RecordKey key(String name) {
        return new RecordKey(tree, name);
    }

    @Override
    public Optional<Item> get(String name) throws InterruptedException {
        return Futures.interruptibly(records.read(key(name)));
    }

    @Override
    public SortedMap<String, Item> list(String prefix) throws InterruptedException {
        SortedMap<String, Item> found = new TreeMap<>();
        for (Item item : Futures.interruptibly(records.readTree(tree))) {
            if (item.key().name().startsWith(prefix)) {
                found.put(item.key().name(), item);
            }
        }
        return Collections.unmodifiableSortedMap(found);
    }

    @Override
    public void put(String name, byte[] value) throws InterruptedException {
        apply(List.of(), Op.put(key(name), value));
    }

    @Override
    public boolean compareAndSet(Item expected, byte[] value) throws InterruptedException {
        if (!expected.key().tree().equals(tree)) {
            throw new IllegalArgumentException(expected.key() + " is not a record of " + tree);
        }
        return apply(List.of(Guard.unchanged(expected)), Op.put(expected.key(), value));
    }

    @Override
    public boolean create(String name, byte[] value) throws InterruptedException {
        return apply(List.of(Guard.absent(key(name))), Op.put(key(name), value));
    }

    @Override
    public void delete(String name) throws InterruptedException {
        apply(List.of(), Op.delete(key(name)));
    }

    @Override
    public Subscription observe(String prefix, RecordsListener listener) {
        Observation added = new Observation(tree, prefix, listener, callbacks);
        Subscription following = observations.add(added);
        return () -> {
            added.mute();
            following.close();
        };
    }

    private boolean apply(List<Guard> guards, Op op) throws InterruptedException {
        return Futures.interruptibly(records.write(guards, List.of(op)));
    }
}
