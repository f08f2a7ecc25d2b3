package io.baton.testkit.config;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import io.baton.Subscription;
import io.baton.config.ConfigEvent;
import io.baton.config.KeyChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** Follows a space, and keeps all that it is told, in order. */
public final class ConfigLog implements AutoCloseable, RecordsListener {

    private final List<KeyChange> changes = new CopyOnWriteArrayList<>();
    private final List<ConfigEvent> events = new CopyOnWriteArrayList<>();
    private volatile Map<String, String> values = Map.of();
    private Position known = new Position("", 0);
    private int snapshots;
    private final Subscription subscription;

    private ConfigLog(Coordinator baton) {
        subscription = baton.records("config").observe("", this);
    }

    public static ConfigLog follow(Coordinator baton) throws InterruptedException {
        ConfigLog log = new ConfigLog(baton);
        while (log.snapshots == 0) {
            Thread.sleep(10);
        }
        return log;
    }

    public Map<String, String> values() {
        return values;
    }

    public List<KeyChange> changes() {
        return changes;
    }

    public List<String> changes(String key) {
        return changes.stream()
                .filter(change -> change.key().equals(key))
                .map(change -> change.now().orElse("(none)"))
                .toList();
    }

    public <E extends ConfigEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Override
    public void snapshot(Map<String, Item> all, Position at) {
        Map<String, String> now = new TreeMap<>();
        all.forEach((name, item) -> now.put(name, item.text()));
        List<KeyChange> differences = move(now);
        if (snapshots++ > 0) {
            events.add(
                    at.history().equals(known.history()) && at.revision() >= known.revision()
                            ? new ConfigEvent.Resynced(at, differences)
                            : new ConfigEvent.Rewound(known, at, differences));
        }
        known = at;
    }

    @Override
    public void changed(List<Item> put, List<String> gone, long revision) {
        Map<String, String> now = new TreeMap<>(values);
        put.forEach(item -> now.put(item.key().name(), item.text()));
        gone.forEach(now::remove);
        move(now);
        known = new Position(known.history(), revision);
    }

    private List<KeyChange> move(Map<String, String> now) {
        List<KeyChange> differences = new ArrayList<>();
        var keys = new TreeSet<>(values.keySet());
        keys.addAll(now.keySet());
        for (String key : keys) {
            Optional<String> was = Optional.ofNullable(values.get(key));
            Optional<String> is = Optional.ofNullable(now.get(key));
            if (!was.equals(is)) {
                differences.add(new KeyChange(key, was, is, false));
            }
        }
        values = now;
        changes.addAll(differences);
        return differences;
    }

    @Override
    public void close() {
        subscription.close();
    }
}
