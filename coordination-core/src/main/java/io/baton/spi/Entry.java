package io.baton.spi;

/**
 * A contender's entry in full.
 *
 * @param peer which entry
 * @param token its fencing token: rises from grant to grant of the line
 * @param payload what the contender says of itself
 * @param session the store's name for the owning session
 */
public record Entry(Peer peer, long token, byte[] payload, String session) {}
