package io.baton.internal.lock;

import io.baton.Eviction;
import io.baton.Item;
import io.baton.Op;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.recipe.TextLines;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Removes single entries from the lines of a lock, with a record of the last removal. Any thread.
 *
 * @param of the lock
 * @param lines its lines
 */
record Evictions(Resource of, List<Line> lines, LockParts parts) {

    private static final String TREE = "baton.evictions";

    /** In two steps, so that an interrupt between them evicts nobody. */
    boolean evict(QueueEntry who, String reason) throws InterruptedException {
        Optional<Entry> entry = Futures.interruptibly(find(who));
        return entry.isPresent() && Futures.interruptibly(remove(entry.get(), who, reason));
    }

    /** As {@link #evict}, without a thread that waits. */
    CompletableFuture<Boolean> evictAsync(QueueEntry who, String reason) {
        return find(who)
                .thenCompose(entry -> entry.isPresent()
                        ? remove(entry.get(), who, reason)
                        : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Optional<Entry>> find(QueueEntry who) {
        if (who.entry().isEmpty()) {
            throw new IllegalArgumentException(
                    who + " does not say which entry it is of; evict a contender as " + of + " shows it");
        }
        return parts.requests().send("a look at " + of, session -> find(session, who, 0));
    }

    private CompletableFuture<Boolean> remove(Entry entry, QueueEntry who, String reason) {
        return parts.records()
                .transact(
                        "the eviction of " + who.client() + " from " + of,
                        List.of(),
                        List.of(note(who, reason)),
                        List.of(entry.peer()));
    }

    /** By its name, too, as on databases each line of a semaphore has tokens of its own. */
    private CompletionStage<Optional<Entry>> find(Session session, QueueEntry who, int line) {
        if (line == lines.size()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return session.peers(lines.get(line))
                .thenCompose(peers -> read(session, who, peers))
                .thenCompose(found ->
                        found.isPresent() ? CompletableFuture.completedFuture(found) : find(session, who, line + 1));
    }

    /** Reads the one entry alone, however many stand beside it. */
    private static CompletionStage<Optional<Entry>> read(Session session, QueueEntry who, List<Peer> peers) {
        return peers.stream()
                .filter(peer -> peer.name().equals(who.entry()))
                .findFirst()
                .map(session::details)
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))
                .thenApply(entry -> entry.filter(found -> found.token() == who.token()));
    }

    private Op note(QueueEntry who, String reason) {
        return Op.put(
                key(),
                new TextLines()
                        .add("token", Long.toString(who.token()))
                        .add("client", who.client())
                        .add("by", parts.client())
                        .add("why", reason)
                        .add("at", Long.toString(parts.acquisitions().loop().wallMillis()))
                        .bytes());
    }

    Optional<Eviction> last() throws InterruptedException {
        return Futures.interruptibly(parts.records().read(key())).map(Evictions::eviction);
    }

    private static Eviction eviction(Item record) {
        Map<String, String> lines = TextLines.decode(record.value());
        return new Eviction(
                TextLines.number(lines.getOrDefault("token", "")),
                lines.getOrDefault("client", ""),
                lines.getOrDefault("by", ""),
                lines.getOrDefault("why", ""),
                Instant.ofEpochMilli(TextLines.number(lines.getOrDefault("at", ""))));
    }

    private RecordKey key() {
        return of.record(TREE);
    }
}
