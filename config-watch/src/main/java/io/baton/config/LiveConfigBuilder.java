package io.baton.config;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.config.internal.LiveConfigEngine;
import io.baton.config.internal.cache.CacheFile;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.values.Bundled;
import io.baton.config.values.Converters;
import io.baton.config.values.SecretPaths;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link LiveConfig}; {@link #open} checks them. */
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

    /** Sets the tree of records that holds the values. Default {@code config}. */
    public LiveConfigBuilder space(String tree) {
        this.tree = tree;
        return this;
    }

    /** Follows only keys with this prefix. Their names keep the prefix. Default all keys. */
    public LiveConfigBuilder prefix(String value) {
        prefix = value;
        return this;
    }

    /** Adds default values by path; every other layer overrides them. */
    public LiveConfigBuilder defaults(Map<String, String> values) {
        bundled.defaults(values);
        return this;
    }

    /**
     * Adds a default document from the class path, in JSON, YAML or properties by its file name extension. Every other
     * layer overrides it.
     */
    public LiveConfigBuilder defaults(ClassLoader loader, String resource) {
        bundled.defaults(loader, resource);
        return this;
    }

    /**
     * Adds a file that overrides the defaults, in JSON, YAML or properties by its file name extension. It must exist,
     * and this call reads it.
     */
    public LiveConfigBuilder file(Path document) {
        bundled.file(document);
        return this;
    }

    /**
     * Adds variables that override file and defaults. With the prefix {@code SHOP_}, {@code SHOP_PAYMENTS_RETRY_LIMIT}
     * is {@code payments.retry.limit}. Case, {@code -} and {@code _} within a name do not matter. Default none.
     */
    public LiveConfigBuilder environment(String prefix, Map<String, String> variables) {
        bundled.environment(prefix, variables);
        return this;
    }

    /**
     * Adds a file that overrides the store, for emergencies on this instance. It is JSON, YAML or properties by its
     * file name extension. This call reads the file if it exists. Opening logs a warning with the paths that it
     * overrides.
     */
    public LiveConfigBuilder overrideFile(Path document) {
        bundled.overrideFile(document);
        return this;
    }

    /**
     * Adds variables that override the store and override files, named as in {@link #environment}. With the prefix
     * {@code SHOP_OVERRIDE_}, {@code SHOP_OVERRIDE_PAYMENTS_URL} is {@code payments.url}.
     */
    public LiveConfigBuilder overrideEnvironment(String prefix, Map<String, String> variables) {
        bundled.overrideEnvironment(prefix, variables);
        return this;
    }

    /**
     * Sets the file that keeps the last good values for a start without the store. Only this user can read it. Default
     * none.
     */
    public LiveConfigBuilder cache(Path file) {
        cache = file;
        return this;
    }

    /** Sets the greatest age of cached values that a start may use. Default any age. */
    public LiveConfigBuilder maxCacheAge(Duration value) {
        maxCacheAge = value;
        return this;
    }

    /** Sets how long opening waits for the store before it falls back to cache or bundled layers. Default 5 s. */
    public LiveConfigBuilder startTimeout(Duration value) {
        startTimeout = value;
        return this;
    }

    /**
     * Sets the weakest source that opening accepts; otherwise opening fails. LIVE requires the store, and CACHED
     * requires the store or the cache. Default BUNDLED, which accepts any source.
     */
    public LiveConfigBuilder atLeast(ConfigSource source) {
        least = source;
        return this;
    }

    /** Sets how to treat values for which a bound type has no field. Default {@link UnknownFields#WARN}. */
    public LiveConfigBuilder unknownFields(UnknownFields value) {
        unknown = value;
        return this;
    }

    /**
     * Converts texts to values of a type wherever it is bound, also as a component, in lists, and as a key of a map.
     * The converter takes precedence over Baton's own conversion. If it throws or returns null, the text is refused as
     * {@code must be a Currency}. That message quotes the text unless it is secret, and omits the converter's message.
     */
    public <T> LiveConfigBuilder converter(Class<T> type, Converter<? extends @Nullable T> converter) {
        return converter(type, "a " + type.getSimpleName(), converter);
    }

    /**
     * {@link #converter(Class, Converter)} with a description of valid texts.
     *
     * @param expected what a text must be, for people, as {@code a currency as EUR}
     */
    public <T> LiveConfigBuilder converter(Class<T> type, String expected, Converter<? extends @Nullable T> converter) {
        converters = converters.with(type, expected, converter);
        return this;
    }

    /**
     * Marks values at these paths secret, besides those marked in the store and in types. {@code *} stands for
     * anything.
     */
    public LiveConfigBuilder secret(String... patterns) {
        secrets.add(List.of(patterns));
        return this;
    }

    /**
     * Sets the name of this instance in the fleet. Without a name it is not in the fleet, and takes no part in
     * canaries.
     */
    public LiveConfigBuilder instance(String id) {
        instance = id;
        return this;
    }

    /**
     * Requires the application's approval: a canary that this instance tries is promoted only after {@link
     * LiveConfig#approveCanary}. By default a canary needs no approval if it is in use and was not rejected.
     */
    public LiveConfigBuilder approvesCanaries() {
        approvesCanaries = true;
        return this;
    }

    /** Adds a label of this instance, by which canaries choose instances. */
    public LiveConfigBuilder label(String name, String value) {
        labels.put(name, value);
        return this;
    }

    /**
     * Starts to follow: LIVE if the store answers within the start timeout, else CACHED, else BUNDLED. If Baton's own
     * record in the store cannot be read, that is no answer, and the start does not wait longer; {@link
     * ConfigStatus#rejection()} says why.
     *
     * @throws ConfigException if a setting is invalid, or the source is weaker than {@link #atLeast}
     * @throws IllegalArgumentException as {@link ConfigStore#of(io.baton.Coordinator, String)}
     * @throws io.baton.CoordinationException if the coordinator is closed
     */
    @CheckReturnValue
    public LiveConfig open() throws InterruptedException {
        LiveConfigEngine run = begin();
        try {
            return run.awaitOpened();
        } catch (InterruptedException asked) {
            run.config().close();
            throw asked;
        }
    }

    /**
     * {@link #open} without waiting. Completes on a callback thread, exceptionally if the source is weaker than {@link
     * #atLeast}. If the future is cancelled or completed otherwise before that, as by {@code orTimeout}, the
     * configuration is closed.
     *
     * @throws ConfigException if a setting is invalid
     * @throws IllegalArgumentException as {@link ConfigStore#of(io.baton.Coordinator, String)}
     */
    @CheckReturnValue
    public CompletableFuture<LiveConfig> openAsync() {
        return begin().openedForUser();
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
