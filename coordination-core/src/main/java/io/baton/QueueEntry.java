package io.baton;

import io.baton.internal.line.EntryInfo;
import io.baton.spi.Entry;
import java.time.Instant;
import java.util.Optional;

/**
 * A contender in a lock's line.
 *
 * @param holder whether it stands first, and so holds or is about to
 * @param token its fencing token
 * @param client what it calls itself; empty if it does not say
 * @param host its host name; empty if it does not say
 * @param pid its process id; 0 if it does not say
 * @param since when it joined, by its own clock; absent if it does not say
 */
public record QueueEntry(boolean holder, long token, String client, String host, long pid, Optional<Instant> since) {

    /** The contender of this entry. */
    public static QueueEntry of(Entry entry, boolean holder) {
        EntryInfo says = EntryInfo.decode(entry.payload());
        return new QueueEntry(holder, entry.token(), says.client(), says.host(), says.pid(), says.since());
    }
}
