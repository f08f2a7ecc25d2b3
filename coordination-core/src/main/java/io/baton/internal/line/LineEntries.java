package io.baton.internal.line;

import io.baton.internal.session.BoundedCalls;
import io.baton.internal.session.Requests;
import io.baton.recipe.Futures;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads the entries of lines. An entry does not change, so each is read once while it stands, for all callers, with a
 * limited number of reads at once. Entries of the lines that were looked at last are kept. On the loop.
 */
public final class LineEntries {

    private static final int AT_ONCE = 32;

    /** The lines whose entries are kept. */
    static final int MOST_LINES = 100;

    private final Requests requests;
    private final Map<Line, Map<Peer, CompletableFuture<Optional<Entry>>>> known = new LastUsed<>();

    public LineEntries(Requests requests) {
        this.requests = requests;
    }

    /**
     * Returns the contenders, in order, with one read.
     *
     * @param what for people, whose line it is
     */
    public CompletableFuture<List<Peer>> peers(Line line, Object what) {
        return requests.send("a look at " + what, session -> session.peers(line));
    }

    /**
     * Returns the entries, in order, without those that go meanwhile. One read, and one for each entry not known yet.
     *
     * @param what for people, whose line it is
     */
    public CompletableFuture<List<Entry>> all(Line line, Object what) {
        return peers(line, what).thenCompose(peers -> {
            var standing = known.computeIfAbsent(line, first -> new HashMap<>());
            standing.keySet().retainAll(new HashSet<>(peers));
            return BoundedCalls.all(peers, AT_ONCE, peer -> one(peer, what, standing))
                    .thenApply(LineEntries::present);
        });
    }

    /** Returns the entries, in order, without those that go meanwhile, and keeps nothing. */
    public static CompletionStage<List<Entry>> readOnce(Session session, Line line) {
        return session.peers(line)
                .thenCompose(peers -> BoundedCalls.all(
                        peers, AT_ONCE, peer -> session.details(peer).toCompletableFuture()))
                .thenApply(LineEntries::present);
    }

    private static List<Entry> present(List<Optional<Entry>> all) {
        return all.stream().flatMap(Optional::stream).toList();
    }

    private CompletableFuture<Optional<Entry>> one(
            Peer peer, Object what, Map<Peer, CompletableFuture<Optional<Entry>>> standing) {
        var before = standing.get(peer);
        if (before != null) {
            return before;
        }
        CompletableFuture<Optional<Entry>> begun = requests.send("a look at " + what, session -> session.details(peer));
        standing.put(peer, begun);
        Futures.onDone(begun, (entry, failure) -> {
            if (failure != null || entry.isEmpty()) {
                standing.remove(peer, begun);
            }
        });
        return begun;
    }

    private static final class LastUsed<V> extends LinkedHashMap<Line, V> {

        private static final long serialVersionUID = 1L;

        LastUsed() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Line, V> eldest) {
            return size() > MOST_LINES;
        }
    }
}
