package io.baton.spi;

import java.time.Duration;

/**
 * What a client asks of its session.
 *
 * @param ttl how long the store keeps the entries of a silent session; the server may grant less or, unless this is
 *     strict, more
 * @param client the client's name, for people; shown in logs and queues
 * @param strict whether to refuse a session that the store keeps for longer than the ttl
 */
public record SessionSpec(Duration ttl, String client, boolean strict) {

    /** A session whose ttl the store may raise. */
    public SessionSpec(Duration ttl, String client) {
        this(ttl, client, false);
    }

    /** Returns the ttl, raised to this minimum if shorter. A strict ttl stays, and the store refuses it. */
    public Duration ttlRaisedTo(Duration least) {
        return strict || ttl.compareTo(least) >= 0 ? ttl : least;
    }
}
