package io.baton.spi;

/**
 * A contender's entry in full.
 *
 * @param peer the entry in its line
 * @param token its fencing token, which rises with each grant of the line
 * @param payload the bytes that the contender joined with
 * @param session the store's name for the owning session
 */
public record Entry(Peer peer, long token, byte[] payload, String session) {}
