package io.baton.spi.support;

import io.baton.spi.Loop;

/**
 * When a request was sent, and on which connection.
 *
 * @param nanos monotonic clock before the send
 * @param wallMillis wall clock before the send
 * @param connection the connection's number; changes with every connect and disconnect
 */
public record SendStamp(long nanos, long wallMillis, long connection) {

    /** Returns the stamp of a request about to be sent. */
    public static SendStamp now(Loop loop, long connection) {
        return new SendStamp(loop.nanoTime(), loop.wallMillis(), connection);
    }
}
