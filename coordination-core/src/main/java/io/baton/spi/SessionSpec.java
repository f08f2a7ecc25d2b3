package io.baton.spi;

import java.time.Duration;

/**
 * What a client asks of its session.
 *
 * @param ttl how long the store keeps a silent session's entries; the server may grant less or more
 * @param client who this is, for people: shows in logs and in queues
 */
public record SessionSpec(Duration ttl, String client) {}
