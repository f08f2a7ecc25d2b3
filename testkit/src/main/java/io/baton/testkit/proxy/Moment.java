package io.baton.testkit.proxy;

/** When a fault strikes, seen from the message that sets it off. */
public enum Moment {
    /** The message has not been handed on, not a byte of it; everything before it has. */
    BEFORE,
    /** The whole message has been handed on, and nothing after it. */
    AFTER
}
