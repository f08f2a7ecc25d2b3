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
 * Everything received from the store. Immutable; the next state is a pure function of this one and an update.
 *
 * @param at the store's position
 * @param values the values of users' keys
 * @param space Baton's own record, the last one that could be read
 * @param unreadable why the newest one cannot be read; empty if it can
 * @param canary the canary in progress, if its record can be read
 */
public record StoreState(
        Position at,
        FrozenMap<ConfigValue> values,
        SpaceHead space,
        Optional<String> unreadable,
        Optional<CanaryRecord> canary) {

    private static final Logger log = LoggerFactory.getLogger(StoreState.class);

    /** The keys of this configuration, and those that are secret regardless of marks in the store. */
    public record Scope(String prefix, Predicate<String> secret) {

        public boolean has(String key) {
            return key.startsWith(prefix) && !key.startsWith("$");
        }
    }

    /** Creates a state with only these values. */
    public static StoreState of(Position at, FrozenMap<ConfigValue> values, SpaceHead space) {
        return new StoreState(at, values, space, Optional.empty(), Optional.empty());
    }

    /** Returns the state after this update. */
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
     * Returns whether the store must have been set back: a value, or the number of the last change, is an earlier one.
     * Its revisions alone do not show this, since they may have grown beyond the known ones again.
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

    /** Returns the same value, marked if it is secret. */
    public ConfigValue marked(ConfigValue value, Scope scope) {
        return value.secret() || !secret(value.key(), scope)
                ? value
                : new ConfigValue(value.key(), value.text(), value.revision(), true);
    }

    /** Returns these values of the same space, with marks on those that are secret by now. */
    public FrozenMap<ConfigValue> marking(FrozenMap<ConfigValue> earlier, Scope scope) {
        SortedMap<String, Optional<ConfigValue>> otherwise = new TreeMap<>();
        earlier.forEach((key, value) -> {
            if (!value.secret() && secret(key, scope)) {
                otherwise.put(key, Optional.of(new ConfigValue(key, value.text(), value.revision(), true)));
            }
        });
        return otherwise.isEmpty() ? earlier : earlier.with(otherwise);
    }

    /** Returns the same values, each with its present mark. */
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
