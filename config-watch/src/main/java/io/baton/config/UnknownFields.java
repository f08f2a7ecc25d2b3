package io.baton.config;

/** How to treat a value for which a bound type has no field. */
public enum UnknownFields {
    /** Ignores it, and logs it once. */
    WARN,
    /** Rejects the revision. Unknown variables are only logged. */
    REJECT,
    /** Ignores it. */
    IGNORE
}
