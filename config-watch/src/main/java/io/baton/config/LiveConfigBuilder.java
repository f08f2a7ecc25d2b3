package io.baton.config;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.config.internal.LiveConfigEngine;
import io.baton.config.internal.cache.CacheFile;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.values.Bundled;
import io.baton.config.values.Converters;
import io.baton.config.values.SecretPaths;
import io.baton.recipe.Futures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Collects what a {@link LiveConfig} needs to know; {@link #open} checks it. */
public final class LiveConfigBuilder {

    private static final Duration ANY_AGE = Duration.ofSeconds(Long.MAX_VALUE);

    private final Coordinator baton;
    private final Bundled.Builder bundled = Bundled.builder();
    private final SecretPaths secrets = SecretPaths.of();
    private final Map<String, String> labels = new TreeMap<>();
    private String tree = "config";
    private String prefix = "";
    private @Nullable Path cache;
    private Duration maxCacheAge = ANY_AGE;
    private Duration startTimeout = Duration.ofSeconds(5);
    private ConfigSource least = ConfigSource.BUNDLED;
    private UnknownFields unknown = UnknownFields.WARN;
    private Converters converters = Converters.none();
    private @Nullable String instance;
    private boolean approvesCanaries;

    LiveConfigBuilder(Coordinator baton) {
        this.baton = baton;
    }

    /** Which tree of records holds the values. Default {@code config}. */
    public LiveConfigBuilder space(String tree) {
        this.tree = tree;
        return this;
    }

    /** Follows only keys that begin so; they are called by the whole key. Default all. */
    public LiveConfigBuilder prefix(String value) {
        prefix = value;
        return this;
    }

    /** Values that any other layer overrides, by path. */
    public LiveConfigBuilder defaults(Map<String, String> values) {
        bundled.defaults(values);
        return this;
    }

    /** A document on the class path that any other layer overrides; JSON, YAML or properties by its name's ending. */
    public LiveConfigBuilder defaults(ClassLoader loader, String resource) {
        bundled.defaults(loader, resource);
        return this;
    }

    /** A file that overrides the defaults; JSON, YAML or properties by its name's ending. Read when opening. It must exist. */
    public LiveConfigBuilder file(Path document) {
        bundled.file(document);
        return this;
    }

    /**
     * Variables that override file and defaults: {@code SHOP_PAYMENTS_RETRY_LIMIT} is {@code payments.retry.limit} with the
     * prefix {@code SHOP_}. Case and {@code -} and {@code _} within a name do not matter. Default none.
     */
    public LiveConfigBuilder environment(String prefix, Map<String, String> variables) {
        bundled.environment(prefix, variables);
        return this;
    }

    /**
     * An emergency override for this instance: a file that is stronger than the store; JSON, YAML or properties by its name's ending.
     * Read when opening; it need not exist. What it overrides is logged as a warning.
     */
    public LiveConfigBuilder overrideFile(Path document) {
        bundled.overrideFile(document);
        return this;
    }

    /** The same by variables, as in {@link #environment}: {@code SHOP_OVERRIDE_PAYMENTS_URL} with {@code SHOP_OVERRIDE_}. */
    public LiveConfigBuilder overrideEnvironment(String prefix, Map<String, String> variables) {
        bundled.overrideEnvironment(prefix, variables);
        return this;
    }

    /** Where the last good values are kept for a start without the store. Readable by this user only. Default nowhere. */
    public LiveConfigBuilder cache(Path file) {
        cache = file;
        return this;
    }

    /** How old the cached values may be for a start with them. Default any age. */
    public LiveConfigBuilder maxCacheAge(Duration value) {
        maxCacheAge = value;
        return this;
    }

    /** How long opening waits for the store before it makes do with what there is. Default 5 s. */
    public LiveConfigBuilder startTimeout(Duration value) {
        startTimeout = value;
        return this;
    }

    /**
     * What opening insists on: LIVE starts only with the store, CACHED only with the store or what the cache has of it; otherwise
     * opening fails. Default BUNDLED, which is anything.
     */
    public LiveConfigBuilder atLeast(ConfigSource source) {
        least = source;
        return this;
    }

    /** What becomes of values that a bound type has no place for. Default {@link UnknownFields#WARN}. */
    public LiveConfigBuilder unknownFields(UnknownFields value) {
        unknown = value;
        return this;
    }

    /**
     * How a text becomes a value of a type, wherever that is bound: also as a component, in lists, and as a key of a map. It goes before what
     * Baton knows of the type. A text that it does not like, for which it throws or returns null, is refused as {@code must be a Currency},
     * with the text unless that is secret, and without what it says of it.
     */
    public <T> LiveConfigBuilder converter(Class<T> type, Converter<? extends @Nullable T> converter) {
        return converter(type, "a " + type.getSimpleName(), converter);
    }

    /**
     * The same.
     *
     * @param expected what a text must be, for people, as {@code a currency as EUR}
     */
    public <T> LiveConfigBuilder converter(Class<T> type, String expected, Converter<? extends @Nullable T> converter) {
        converters = converters.with(type, expected, converter);
        return this;
    }

    /** Paths whose values are secret, beside those marked in the store and in types: {@code *} stands for anything. */
    public LiveConfigBuilder secret(String... patterns) {
        secrets.add(List.of(patterns));
        return this;
    }

    /**
     * What this instance is called in the view of the fleet. Without it, it does not appear there, and takes no part in canary
     * changes.
     */
    public LiveConfigBuilder instance(String id) {
        instance = id;
        return this;
    }

    /**
     * The application looks on for itself: a canary that it tries is promoted only once it has called {@link
     * LiveConfig#approveCanary}. Default no: a canary is good if it is in use and nothing was said against it.
     */
    public LiveConfigBuilder approvesCanaries() {
        approvesCanaries = true;
        return this;
    }

    /** Says something of this instance, by which canary changes choose. */
    public LiveConfigBuilder label(String name, String value) {
        labels.put(name, value);
        return this;
    }

    /**
     * Starts to follow: LIVE if the store answers within the start timeout, else CACHED, else BUNDLED.
     *
     * @throws ConfigException if the file, the defaults or a setting cannot be understood, or it cannot be {@link #atLeast what it
     *     must be}
     * @throws IllegalArgumentException as {@link ConfigStore#of(io.baton.Coordinator, String)}
     * @throws io.baton.CoordinationException if the coordinator is closed
     */
    @CheckReturnValue
    public LiveConfig open() throws InterruptedException {
        LiveConfigEngine run = begin();
        try {
            return Futures.interruptibly(run.opened());
        } catch (InterruptedException asked) {
            run.config().close();
            throw asked;
        }
    }

    /**
     * {@link #open} without waiting: completes on a callback thread, exceptionally if it cannot be {@link #atLeast what it must be}.
     *
     * @throws ConfigException if the file, the defaults or a setting cannot be understood
     * @throws IllegalArgumentException as {@link ConfigStore#of(io.baton.Coordinator, String)}
     */
    @CheckReturnValue
    public CompletableFuture<LiveConfig> openAsync() {
        LiveConfigEngine run = begin();
        return run.store().callbacks().completeInCallback(run.opened());
    }

    private LiveConfigEngine begin() {
        if (startTimeout.isNegative()) {
            throw new ConfigException("startTimeout must not be negative, but is " + startTimeout);
        }
        if (maxCacheAge.isNegative()) {
            throw new ConfigException("maxCacheAge must not be negative, but is " + maxCacheAge);
        }
        Map<String, String> bears = Collections.unmodifiableMap(new TreeMap<>(labels));
        var settings = new LiveConfigEngine.Settings(
                ConfigSpace.of(baton, tree),
                prefix,
                bundled.build(),
                secrets,
                unknown,
                converters,
                startTimeout,
                least,
                Optional.ofNullable(cache).map(CacheFile::new),
                maxCacheAge,
                Optional.ofNullable(instance),
                bears,
                approvesCanaries);
        return LiveConfigEngine.begin(settings);
    }
}
