package io.baton.chaos.servers;

/** What clients may do with the entries of one lock. */
public enum Permission {
    /** Whatever they like. */
    ALL,
    /** See who stands there. They may neither join nor leave. */
    READ,
    /** Nothing. */
    NONE
}
