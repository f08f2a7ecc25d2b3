package io.baton.config;

/** Where the present values have come from. */
public enum ConfigSource {
    /** The store, as far as it could be followed until now: see {@link ConfigStatus} for how far that is. */
    LIVE,
    /** The file in which the last good values of the store were kept. */
    CACHED,
    /** What the service brings along: defaults, file and environment; nothing is known of the store. */
    BUNDLED
}
