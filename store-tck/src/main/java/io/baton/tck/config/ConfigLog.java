package io.baton.tck.config;

import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.config.ConfigEvent;
import io.baton.config.KeyChange;
import io.baton.config.ListenerOptions;
import io.baton.config.LiveConfig;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Follows the default space, and records all events in order.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class ConfigLog implements AutoCloseable {

    private final LiveConfig config;
    private final List<KeyChange> changes = new CopyOnWriteArrayList<>();
    private final List<ConfigEvent> events = new CopyOnWriteArrayList<>();

    private final List<Subscription> subscriptions;

    private ConfigLog(LiveConfig config) {
        this.config = config;
        this.subscriptions = List.of(
                config.onEvent(events::add),
                config.onPrefix("", ListenerOptions.named("log"), (some, revision) -> changes.addAll(some)));
    }

    /** Starts to follow. */
    public static ConfigLog follow(Coordinator baton) throws InterruptedException {
        return new ConfigLog(LiveConfig.builder(baton).open());
    }

    /** Returns whether these are the values in use, and the listener has received all changes up to them. */
    public boolean isAt(Map<String, String> values) {
        Map<String, String> inUse = new TreeMap<>();
        config.snapshot().values().forEach((key, value) -> inUse.put(key, value.text()));
        return inUse.equals(values) && told().equals(values);
    }

    /** Returns whether the listener has received a value of this key that is in use. */
    public boolean hasKey(String key) {
        return told().containsKey(key) && config.snapshot().values().containsKey(key);
    }

    private Map<String, String> told() {
        Map<String, String> told = new TreeMap<>();
        changes.forEach(change -> {
            if (change.now().isPresent()) {
                told.put(change.key(), change.now().orElseThrow());
            } else {
                told.remove(change.key());
            }
        });
        return told;
    }

    /** The texts of a key that its listener received, in order; {@code (none)} where it was absent. */
    public List<String> changes(String key) {
        return changes.stream()
                .filter(change -> change.key().equals(key))
                .map(change -> change.now().orElse("(none)"))
                .toList();
    }

    /** The events of this kind. */
    public <E extends ConfigEvent> List<E> events(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
        config.close();
    }
}
