package io.baton.config;

/** How to treat a value for which a bound type has no field. */
public enum UnknownFields {
    /** Ignores it, and logs it once. */
    WARN,
    /** Rejects the revision. */
    REJECT,
    /** Ignores it. */
    IGNORE
}
