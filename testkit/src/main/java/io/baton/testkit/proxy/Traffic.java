package io.baton.testkit.proxy;

/**
 * What passed through a proxy since it started.
 *
 * @param accepted connections accepted
 * @param open those of them that are open now
 * @param bytesToServer bytes forwarded to the target
 * @param bytesToClient bytes forwarded to clients
 */
public record Traffic(long accepted, int open, long bytesToServer, long bytesToClient) {}
