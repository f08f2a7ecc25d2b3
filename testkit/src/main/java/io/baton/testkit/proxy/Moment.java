package io.baton.testkit.proxy;

/** When a fault strikes, relative to the message that sets it off. */
public enum Moment {
    /** No byte of the message has been forwarded; everything before it has. */
    BEFORE,
    /** The whole message has been forwarded, and nothing after it. */
    AFTER
}
