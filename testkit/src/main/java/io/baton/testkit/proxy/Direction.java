package io.baton.testkit.proxy;

/** The direction of bytes through a proxy. */
public enum Direction {
    /** From the client to the proxy's target. */
    TO_SERVER,
    /** From the target to the client. */
    TO_CLIENT
}
