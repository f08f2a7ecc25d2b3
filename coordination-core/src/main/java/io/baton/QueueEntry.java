package io.baton;

import io.baton.internal.line.EntryInfo;
import io.baton.spi.Entry;
import java.time.Instant;
import java.util.Optional;

/**
 * A contender in a lock's line.
 *
 * @param holder whether it is first, and so holds the lock or is about to
 * @param token its fencing token
 * @param client its name for people; empty if unknown
 * @param host its host name; empty if unknown
 * @param pid its process id; 0 if unknown
 * @param since when it joined, by its own clock; empty if unknown
 */
public record QueueEntry(boolean holder, long token, String client, String host, long pid, Optional<Instant> since) {

    /** Returns the contender of this entry. */
    public static QueueEntry of(Entry entry, boolean holder) {
        EntryInfo says = EntryInfo.decode(entry.payload());
        return new QueueEntry(holder, entry.token(), says.client(), says.host(), says.pid(), says.since());
    }
}
