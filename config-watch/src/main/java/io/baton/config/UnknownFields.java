package io.baton.config;

/** What becomes of a value that a bound type has no place for. */
public enum UnknownFields {
    /** It is passed over, and logged once. */
    WARN,
    /** The revision is rejected. */
    REJECT,
    /** It is passed over. */
    IGNORE
}
