package io.baton.tck;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import io.baton.Revision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Applies the events it receives, and records them. */
final class TckObserver implements RecordsListener {

    private final Map<String, Item> now = new HashMap<>();
    private final Map<String, List<String>> values = new HashMap<>();
    private final Set<String> names = new TreeSet<>();
    private final List<Map<String, String>> states = new ArrayList<>();
    private final List<String> breaches = new ArrayList<>();
    private Position at = new Position("", 0);
    private int snapshots;

    @Override
    public synchronized void snapshot(Map<String, Item> all, Position position) {
        snapshots++;
        if (position.history().equals(at.history())) {
            check(position.revision());
        }
        at = position;
        now.clear();
        all.values().forEach(this::put);
        states.add(state());
    }

    @Override
    public synchronized void changed(List<Item> put, List<String> gone, long revision) {
        if (snapshots == 0) {
            throw new IllegalStateException("told changes before a snapshot");
        }
        check(revision);
        at = new Position(at.history(), revision);
        put.forEach(this::put);
        names.addAll(gone);
        gone.forEach(now::remove);
        states.add(state());
    }

    synchronized int snapshots() {
        return snapshots;
    }

    /** The records according to the events: names and texts. */
    synchronized Map<String, String> state() {
        Map<String, String> state = new TreeMap<>();
        now.forEach((name, item) -> state.put(name, item.text()));
        return state;
    }

    /** Every state, in the order of the events. */
    synchronized List<Map<String, String>> states() {
        return List.copyOf(states);
    }

    /** Its position in the store's order. */
    synchronized Position at() {
        return at;
    }

    /** Events that contradict each other. */
    synchronized List<String> breaches() {
        return List.copyOf(breaches);
    }

    synchronized @Nullable Revision revision(String name) {
        Item item = now.get(name);
        return item == null ? null : item.revision();
    }

    /** Every value of a record, in the order of the events. */
    synchronized List<String> values(String name) {
        return List.copyOf(values.getOrDefault(name, List.of()));
    }

    /** Every name in the events, present or gone. */
    synchronized Set<String> names() {
        return new TreeSet<>(names);
    }

    private void check(long revision) {
        if (revision < at.revision()) {
            breaches.add("revision " + revision + " after " + at);
        }
    }

    private void put(Item item) {
        String name = item.key().name();
        if (item.revision().order() > at.revision()) {
            breaches.add(name + ", written at " + item.revision().order() + ", told at " + at);
        }
        now.put(name, item);
        names.add(name);
        values.computeIfAbsent(name, key -> new ArrayList<>()).add(item.text());
    }
}
