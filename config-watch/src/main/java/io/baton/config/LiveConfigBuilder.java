package io.baton.config;

import io.baton.Coordinator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Collects what a {@link LiveConfig} needs to know; {@link #open} checks it. */
public final class LiveConfigBuilder {

    private final Coordinator baton;

    LiveConfigBuilder(Coordinator baton) {
        this.baton = baton;
    }

    /** Which tree of records holds the values. Default {@code config}. */
    public LiveConfigBuilder space(String tree) {
        throw new UnsupportedOperationException();
    }

    /** Follows only keys that begin so; they are called by the whole key. Default all. */
    public LiveConfigBuilder prefix(String value) {
        throw new UnsupportedOperationException();
    }

    /** Values that any other layer overrides, by path. */
    public LiveConfigBuilder defaults(Map<String, String> values) {
        throw new UnsupportedOperationException();
    }

    /** A document on the class path that any other layer overrides; JSON, YAML or properties by its name's ending. */
    public LiveConfigBuilder defaults(ClassLoader loader, String resource) {
        throw new UnsupportedOperationException();
    }

    /** A file that overrides the defaults; JSON, YAML or properties by its name's ending. Read when opening. It must exist. */
    public LiveConfigBuilder file(Path document) {
        throw new UnsupportedOperationException();
    }

    /**
     * Variables that override file and defaults: {@code SHOP_PAYMENTS_RETRY_LIMIT} is {@code payments.retry.limit} with the
     * prefix {@code SHOP_}. Case and {@code -} and {@code _} within a name do not matter. Default none.
     */
    public LiveConfigBuilder environment(String prefix, Map<String, String> variables) {
        throw new UnsupportedOperationException();
    }

    /** Where the last good values are kept for a start without the store. Readable by this user only. Default nowhere. */
    public LiveConfigBuilder cache(Path file) {
        throw new UnsupportedOperationException();
    }

    /** How old the cached values may be for a start with them. Default any age. */
    public LiveConfigBuilder maxCacheAge(Duration value) {
        throw new UnsupportedOperationException();
    }

    /** How long opening waits for the store before it makes do with what there is. Default 5 s. */
    public LiveConfigBuilder startTimeout(Duration value) {
        throw new UnsupportedOperationException();
    }

    /** What becomes of values that a bound type has no place for. Default {@link UnknownFields#WARN}. */
    public LiveConfigBuilder unknownFields(UnknownFields value) {
        throw new UnsupportedOperationException();
    }

    /** Paths whose values are secret, beside those marked in the store and in types: {@code *} stands for anything. */
    public LiveConfigBuilder secret(String... patterns) {
        throw new UnsupportedOperationException();
    }

    /** What this instance is called in the view of the fleet; without it, it does not appear there. */
    public LiveConfigBuilder instance(String id) {
        throw new UnsupportedOperationException();
    }

    /** Says something of this instance, by which canary changes choose. */
    public LiveConfigBuilder label(String name, String value) {
        throw new UnsupportedOperationException();
    }

    /**
     * Starts to follow: LIVE if the store answers within the start timeout, else CACHED, else BUNDLED.
     *
     * @throws ConfigException if the file, the defaults or a setting cannot be understood
     */
    public LiveConfig open() throws InterruptedException {
        throw new UnsupportedOperationException(baton.toString());
    }

    /** As {@link #open}. */
    public java.util.concurrent.CompletableFuture<LiveConfig> openAsync() {
        throw new UnsupportedOperationException(baton.toString());
    }
}
