package io.baton.spi;

import java.time.Duration;

/**
 * What a client asks of its session.
 *
 * @param ttl how long the store keeps a silent session's entries; the server may grant less or, unless this is strict, more
 * @param client who this is, for people: shows in logs and in queues
 * @param strict whether a session that the store keeps for longer than the ttl is refused
 */
public record SessionSpec(Duration ttl, String client, boolean strict) {

    /** One whose ttl the store may raise. */
    public SessionSpec(Duration ttl, String client) {
        this(ttl, client, false);
    }

    /** The ttl, raised to what works at least; as it is if this is strict, so that the store refuses it. */
    public Duration ttlRaisedTo(Duration least) {
        return strict || ttl.compareTo(least) >= 0 ? ttl : least;
    }
}
