package io.baton.testkit.proxy;

/**
 * What went through a proxy since it started.
 *
 * @param accepted connections accepted
 * @param open those of them that are open now
 * @param bytesToServer bytes handed on to the target
 * @param bytesToClient bytes handed on to those who connected
 */
public record Traffic(long accepted, int open, long bytesToServer, long bytesToClient) {}
