package io.baton;

import io.baton.internal.line.EntryInfo;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.support.Downgrades;
import java.time.Instant;
import java.util.Optional;

/**
 * A contender in a line of a lock or a semaphore.
 *
 * @param holder whether it waits for nobody, and so holds or is about to
 * @param token its fencing token
 * @param client its name for people; empty if unknown
 * @param host its host name; empty if unknown
 * @param pid its process id; 0 if unknown
 * @param since when it joined, by its own clock; empty if unknown
 * @param claim what it claims now
 * @param entry the store's name for its entry, unique for all time; empty if unknown. On databases contenders of a
 *     semaphore may have equal tokens
 */
public record QueueEntry(
        boolean holder,
        long token,
        String client,
        String host,
        long pid,
        Optional<Instant> since,
        Claim claim,
        String entry) {

    /** A contender whose entry is not known, as for a test. It cannot be evicted. */
    public QueueEntry(
            boolean holder, long token, String client, String host, long pid, Optional<Instant> since, Claim claim) {
        this(holder, token, client, host, pid, since, claim, "");
    }

    /** Returns the contender of this entry. */
    public static QueueEntry of(Entry entry, boolean holder) {
        EntryInfo says = EntryInfo.decode(entry.payload());
        Claim claim = Downgrades.isMarked(entry.payload())
                ? Claim.SHARED
                : entry.peer().claim();
        return new QueueEntry(
                holder,
                entry.token(),
                says.client(),
                says.host(),
                says.pid(),
                says.since(),
                claim,
                entry.peer().name());
    }

    /** Returns the same contender with another claim. */
    public QueueEntry claiming(Claim other) {
        return new QueueEntry(holder, token, client, host, pid, since, other, entry);
    }
}
