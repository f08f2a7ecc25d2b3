package io.baton.testkit.proxy;

/** Which way bytes travel through a proxy. */
public enum Direction {
    /** From whoever connected to the proxy, to its target. */
    TO_SERVER,
    /** From the target, to whoever connected. */
    TO_CLIENT
}
