package io.baton.config.internal.follow;

import io.baton.Item;
import io.baton.Position;
import io.baton.config.ConfigException;
import io.baton.config.ConfigValue;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.SpaceHead;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the store has told, all of it together. Immutable; what comes next is a pure function of it and of the news.
 *
 * @param at where the store is
 * @param values of users' keys
 * @param space Baton's own record, the last one that could be read
 * @param unreadable why the newest one cannot be read; empty if it can
 * @param canary the canary under way, if its record can be read
 */
public record StoreState(
        Position at,
        FrozenMap<ConfigValue> values,
        SpaceHead space,
        Optional<String> unreadable,
        Optional<CanaryRecord> canary) {

    private static final Logger log = LoggerFactory.getLogger(StoreState.class);

    /** What belongs to this configuration, and what of it is secret whatever the store says. */
    public record Scope(String prefix, Predicate<String> secret) {

        public boolean has(String key) {
            return key.startsWith(prefix) && !key.startsWith("$");
        }
    }

    /** Nothing but these values. */
    public static StoreState of(Position at, FrozenMap<ConfigValue> values, SpaceHead space) {
        return new StoreState(at, values, space, Optional.empty(), Optional.empty());
    }

    /** With the news. */
    public StoreState after(StoreUpdate news, Scope scope) {
        if (news instanceof StoreUpdate.Part part) {
            return after(part.at(), part.changes(), scope);
        }
        if (!(news instanceof StoreUpdate.Whole whole)) {
            return this;
        }
        Map<String, Optional<Item>> all = new TreeMap<>();
        whole.items().forEach((name, item) -> all.put(name, Optional.of(item)));
        all.putIfAbsent(SpaceHead.KEY, Optional.empty());
        return of(whole.at(), FrozenMap.empty(), SpaceHead.NONE).after(whole.at(), all, scope);
    }

    /**
     * Whether the store must have been set back since: a value, or the number of the last change, is an earlier one. Revisions of a store that
     * was set back may have grown beyond those known before anybody looks.
     */
    public boolean contradicts(StoreState earlier) {
        if (unreadable.isEmpty() && space.change() < earlier.space.change()) {
            return true;
        }
        for (ConfigValue was : earlier.values.values()) {
            ConfigValue now = values.get(was.key());
            if (now != null && isEarlier(now, was)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEarlier(ConfigValue now, ConfigValue was) {
        return now.revision() < was.revision()
                || (now.revision() == was.revision() && !now.text().equals(was.text()));
    }

    private StoreState after(Position next, Map<String, Optional<Item>> changes, Scope scope) {
        StoreState told =
                changes.containsKey(SpaceHead.KEY) ? with(changes.getOrDefault(SpaceHead.KEY, Optional.empty())) : this;
        SortedMap<String, Optional<ConfigValue>> changed = new TreeMap<>();
        changes.forEach((name, item) -> {
            if (scope.has(name)) {
                changed.put(name, item.map(now -> told.value(now, scope)));
            }
        });
        FrozenMap<ConfigValue> all = told.values.with(changed);
        Optional<CanaryRecord> tried = changes.containsKey(CanaryRecord.KEY) ? canary(changes) : canary;
        FrozenMap<ConfigValue> marked = told.space.secrets().equals(space.secrets()) ? all : told.marked(all, scope);
        return new StoreState(next, marked, told.space, told.unreadable, tried);
    }

    private StoreState with(Optional<Item> head) {
        try {
            return new StoreState(at, values, SpaceHead.of(head), Optional.empty(), canary);
        } catch (ConfigException notOurs) {
            return new StoreState(at, values, space, Optional.of(String.valueOf(notOurs.getMessage())), canary);
        }
    }

    private static Optional<CanaryRecord> canary(Map<String, Optional<Item>> changes) {
        try {
            return changes.getOrDefault(CanaryRecord.KEY, Optional.empty()).map(CanaryRecord::of);
        } catch (ConfigException notOurs) {
            log.warn("There is no canary in use here: {}", notOurs.getMessage());
            return Optional.empty();
        }
    }

    private ConfigValue value(Item item, Scope scope) {
        String key = item.key().name();
        return new ConfigValue(key, item.text(), item.revision().order(), secret(key, scope));
    }

    private boolean secret(String key, Scope scope) {
        return space.secret(key) || scope.secret().test(key);
    }

    /** The same value, marked if it is to be. */
    public ConfigValue marked(ConfigValue value, Scope scope) {
        return value.secret() || !secret(value.key(), scope)
                ? value
                : new ConfigValue(value.key(), value.text(), value.revision(), true);
    }

    /** These values of the same space; what is secret by now bears the mark. */
    public FrozenMap<ConfigValue> marking(FrozenMap<ConfigValue> earlier, Scope scope) {
        SortedMap<String, Optional<ConfigValue>> otherwise = new TreeMap<>();
        earlier.forEach((key, value) -> {
            if (!value.secret() && secret(key, scope)) {
                otherwise.put(key, Optional.of(new ConfigValue(key, value.text(), value.revision(), true)));
            }
        });
        return otherwise.isEmpty() ? earlier : earlier.with(otherwise);
    }

    /** The same values, each with the mark that it is to bear. */
    private FrozenMap<ConfigValue> marked(FrozenMap<ConfigValue> all, Scope scope) {
        SortedMap<String, Optional<ConfigValue>> otherwise = new TreeMap<>();
        all.forEach((key, value) -> {
            boolean secret = secret(key, scope);
            if (value.secret() != secret) {
                otherwise.put(key, Optional.of(new ConfigValue(key, value.text(), value.revision(), secret)));
            }
        });
        return otherwise.isEmpty() ? all : all.with(otherwise);
    }
}
