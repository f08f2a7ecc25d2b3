package io.baton.spi;

/** A session's contact with its store. */
public enum Link {
    /** In contact. */
    CONNECTED,
    /** Out of contact, or not yet in contact for the first time; the session may be alive. */
    SUSPENDED,
    /** Ended for good, by the store or by {@link Session#close}. */
    LOST
}
