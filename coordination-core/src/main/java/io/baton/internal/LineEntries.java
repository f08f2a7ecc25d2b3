package io.baton.internal;

import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads who stands in lines. What an entry says of its owner does not change, so each is read once for as long as it
 * stands, whoever asks. On the loop.
 */
final class LineEntries {

    private final Requests requests;
    private final Map<Line, Map<Peer, CompletableFuture<Optional<Entry>>>> known = new HashMap<>();

    LineEntries(Requests requests) {
        this.requests = requests;
    }

    /** First first, with one read. */
    CompletableFuture<List<Peer>> peers(Contest contest) {
        return requests.send("a look at " + contest, false, session -> session.peers(contest.line()));
    }

    /** First first, in full; who goes meanwhile is left out. One read, and one for each that is not known yet. */
    CompletableFuture<List<Entry>> all(Contest contest) {
        return peers(contest).thenCompose(peers -> {
            var standing = known.computeIfAbsent(contest.line(), line -> new HashMap<>());
            standing.keySet().retainAll(new HashSet<>(peers));
            var all = peers.stream().map(peer -> one(contest, peer, standing)).toList();
            return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                    .thenApply(done ->
                            all.stream().flatMap(each -> each.join().stream()).toList());
        });
    }

    private CompletableFuture<Optional<Entry>> one(
            Contest contest, Peer peer, Map<Peer, CompletableFuture<Optional<Entry>>> standing) {
        var before = standing.get(peer);
        if (before != null) {
            return before;
        }
        CompletableFuture<Optional<Entry>> begun =
                requests.send("a look at " + contest, false, session -> session.details(peer));
        standing.put(peer, begun);
        Waits.onDone(begun, (entry, failure) -> {
            if (failure != null || entry.isEmpty()) {
                standing.remove(peer, begun);
            }
        });
        return begun;
    }
}
