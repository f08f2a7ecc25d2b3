package io.baton.spi.support;

import io.baton.spi.Loop;

/**
 * When, and on which connection, a request was sent.
 *
 * @param nanos monotonic clock before the send
 * @param wallMillis wall clock before the send
 * @param connection which one; changes with every connect and disconnect
 */
public record SendStamp(long nanos, long wallMillis, long connection) {

    /** A request about to be sent. */
    public static SendStamp now(Loop loop, long connection) {
        return new SendStamp(loop.nanoTime(), loop.wallMillis(), connection);
    }
}
