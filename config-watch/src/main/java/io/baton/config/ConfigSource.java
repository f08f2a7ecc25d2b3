package io.baton.config;

/** The source of the present values. */
public enum ConfigSource {
    /** The store, as last received; {@link ConfigStatus} shows whether that is the newest. */
    LIVE,
    /** The file that keeps the store's last good values. */
    CACHED,
    /** The service's own layers: defaults, file and environment. No values of the store are available. */
    BUNDLED
}
