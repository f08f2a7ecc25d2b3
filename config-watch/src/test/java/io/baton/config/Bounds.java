package io.baton.config;

import io.baton.Position;
import io.baton.config.internal.active.ActiveConfig;
import io.baton.config.internal.active.Bindings;
import io.baton.config.internal.active.Bound;
import io.baton.config.internal.active.CandidateState;
import io.baton.config.internal.active.Conditions;
import io.baton.config.internal.active.Current;
import io.baton.config.internal.active.ListenerDispatcher;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.values.Bundled;
import io.baton.config.values.Converters;
import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import io.baton.config.values.TypeBinder;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.TreeMap;

/** Bindings by themselves, and states in which they are bound; nothing is followed. */
public final class Bounds {

    public final SecretPaths secrets = SecretPaths.of();
    private final Bundled bundled = Bundled.builder().build();
    private final Bindings all;

    /** On the loop of the rig. */
    public Bounds(Rig rig) {
        ConfigSpace space = ConfigSpace.of(rig.client("bounds"), "config");
        var means = new ListenerDispatcher.Means(space.loop(), space.callbacks(), event -> {});
        all = new Bindings(new Current(state()), bundled, secrets, means, new Nothing());
    }

    /** A number at the path of this name. */
    public Bound<Integer> number(String name, Conditions<Integer> conditions, boolean independent) {
        var binder = new TypeBinder<>(
                name, Integer.class, UnknownFields.IGNORE, secrets, Converters.none(), Optional.empty());
        return new Bound<>(name, binder, conditions, independent, all);
    }

    public Bound<Integer> number(String name) {
        return number(name, Conditions.none(), false);
    }

    /** Keys and texts by turns. */
    public Layers layers(String... keysAndTexts) {
        return bundled.with(values(keysAndTexts));
    }

    /** Nothing is bound in it yet. */
    public ActiveConfig state(String... keysAndTexts) {
        return state(ConfigSource.LIVE, "", keysAndTexts);
    }

    public ActiveConfig state(ConfigSource source, String canary, String... keysAndTexts) {
        FrozenMap<ConfigValue> values = values(keysAndTexts);
        return ActiveConfig.of(
                new CandidateState(source, new Position("h", 7), 3, values, canary), bundled.with(values));
    }

    public static FrozenMap<ConfigValue> values(String... keysAndTexts) {
        var values = new TreeMap<String, ConfigValue>();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            values.put(keysAndTexts[i], new ConfigValue(keysAndTexts[i], keysAndTexts[i + 1], 1, false));
        }
        return FrozenMap.copyOf(values);
    }

    private static final class Nothing implements Bindings.Owner {

        @Override
        public Iterator<CandidateState> earlierStates(ActiveConfig refused, boolean independent) {
            return Collections.emptyIterator();
        }

        @Override
        public boolean runExclusively(String who, Runnable action) {
            return false;
        }

        @Override
        public void bound(ActiveConfig now) {}

        @Override
        public void wentBack(ActiveConfig was, ActiveConfig now) {}

        @Override
        public void unbound() {}
    }
}
