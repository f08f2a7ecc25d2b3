package io.baton.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Proof;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import io.baton.spi.TreeListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A store of one session whose every word is the test's: for orders of events that a well-behaved store seldom shows. */
public final class ScriptedStore implements Store, Session {

    public static final Duration TIMEOUT = Duration.ofSeconds(8);

    /** Everything that was asked for, in order. */
    public final List<String> asked = new ArrayList<>();

    public final CompletableFuture<Boolean> free = new CompletableFuture<>();
    public final CompletableFuture<Void> left = new CompletableFuture<>();

    /** Completes once the session has ended. */
    public CompletionStage<Void> closed = CompletableFuture.completedStage(null);

    /** Completes the downgrade of a place. */
    public final CompletableFuture<Void> downgraded = new CompletableFuture<>();

    public final List<HeadListener> heads = new ArrayList<>();

    /** Who observes trees. */
    public final List<TreeListener> trees = new ArrayList<>();

    /** The values that transactions were to write. */
    public final List<String> written = new ArrayList<>();

    /** The conditions of the last transaction. */
    public List<Condition> conditions = List.of();

    /** The value of every record. */
    public Optional<Item> record = Optional.empty();

    /** How often a record was read. */
    public int reads;

    /** Why records cannot be read; null if they can. */
    public CoordinationException recordFails;

    /** Whether transactions are applied. */
    public boolean applies;

    /** How the next transactions end, before {@link #applies} counts. */
    public final Deque<CompletionStage<Boolean>> outcomes = new ArrayDeque<>();

    /** Who observes lines. */
    public final List<Consumer<List<Peer>>> lookers = new ArrayList<>();

    /** Who stands in every line. */
    public final List<Peer> peers = new ArrayList<>();

    /** Whether they cannot be listed. */
    public boolean peersFail;

    /** Their entries, by name. */
    public final Map<String, Entry> details = new HashMap<>();

    /** Whether entries cannot be read. */
    public boolean detailsFail;

    /** Whether the test answers questions for entries, by completing these. */
    public boolean detailsWait;

    public final List<CompletableFuture<Optional<Entry>>> waitingDetails = new ArrayList<>();

    public PlaceListener standing;

    private final Loop loop;
    private SessionListener listener;
    private Link link = Link.SUSPENDED;
    private Proof proof;
    private Optional<String> trouble = Optional.empty();
    private Optional<String> whyNoGrants = Optional.empty();

    public ScriptedStore(Loop loop) {
        this.loop = loop;
        this.proof = proofFor(TIMEOUT);
    }

    // ---- what the test makes happen

    public void connect() {
        link = Link.CONNECTED;
        listener.connected();
    }

    /** In contact again, with a session timeout that allows for less than what was proven before. */
    public void reconnectWithLess(Duration left) {
        proof = proofFor(left);
        connect();
    }

    public void suspend() {
        link = Link.SUSPENDED;
        listener.suspended();
    }

    /** There is proof for so long from now, of which nobody is told. */
    public void proveFor(Duration left) {
        proof = proofFor(left);
    }

    /** There is proof for so long from now. */
    public void provenFor(Duration left) {
        proveFor(left);
        listener.proven();
    }

    public void clear() {
        standing.clear(entry());
    }

    /** The contender's own entry, whichever it is. */
    public Entry entry() {
        return new Entry(new Peer(Line.of("locks/orders"), "mine", 7), 7, new byte[0], id());
    }

    /** Its session says that this is why it neither grants nor refuses. */
    public void grantNothing(String why) {
        whyNoGrants = Optional.of(why);
    }

    /** Its session says that this is wrong. */
    public void trouble(String why) {
        trouble = Optional.of(why);
    }

    private Proof proofFor(Duration left) {
        long now = loop.nanoTime();
        return new Proof(
                now,
                loop.wallMillis(),
                now + left.toNanos(),
                Duration.ofMillis(50).toNanos());
    }

    // ---- Store and Session

    @Override
    public Guarantees guarantees() {
        return Guarantees.ofQuorum(10, 100_000, Duration.ofSeconds(1));
    }

    @Override
    public void check(Line line) {}

    @Override
    public Session open(SessionSpec spec, Loop on, SessionListener to) {
        asked.add("open");
        listener = to;
        return this;
    }

    @Override
    public String id() {
        return "scripted";
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public Optional<String> trouble() {
        return trouble;
    }

    @Override
    public Optional<String> whyNoGrants(Line line) {
        return whyNoGrants;
    }

    @Override
    public Proof proof() {
        return proof;
    }

    @Override
    public Duration timeout() {
        return TIMEOUT;
    }

    @Override
    public void requestProof() {
        asked.add("prove");
    }

    @Override
    public Place join(Line line, Claim claim, byte[] payload, PlaceListener to) {
        asked.add("join " + line);
        standing = to;
        return new Place() {
            @Override
            public CompletionStage<Void> leave() {
                asked.add("leave");
                return left;
            }

            @Override
            public CompletionStage<Void> downgrade() {
                asked.add("downgrade");
                return downgraded;
            }
        };
    }

    @Override
    public Runnable observePeers(Line line, Consumer<List<Peer>> to) {
        asked.add("observe " + line);
        lookers.add(to);
        return () -> asked.add("stop observing " + line);
    }

    @Override
    public CompletionStage<Boolean> isFree(Line line, Claim claim) {
        asked.add("free " + line);
        return free;
    }

    @Override
    public CompletionStage<List<Peer>> peers(Line line) {
        asked.add("peers " + line);
        if (peersFail) {
            return refused();
        }
        return CompletableFuture.completedStage(List.copyOf(peers));
    }

    private static <T> CompletionStage<T> refused() {
        return CompletableFuture.failedStage(new CoordinationException("this client may not read it"));
    }

    @Override
    public CompletionStage<Optional<Entry>> details(Peer peer) {
        asked.add("details " + peer.name());
        if (detailsFail) {
            return refused();
        }
        if (detailsWait) {
            waitingDetails.add(new CompletableFuture<>());
            return waitingDetails.get(waitingDetails.size() - 1);
        }
        return CompletableFuture.completedStage(Optional.ofNullable(details.get(peer.name())));
    }

    @Override
    public CompletionStage<Optional<Item>> get(RecordKey key) {
        reads++;
        return recordFails == null
                ? CompletableFuture.completedStage(record)
                : CompletableFuture.failedStage(recordFails);
    }

    @Override
    public Runnable observe(String tree, TreeListener to) {
        asked.add("observe " + tree);
        trees.add(to);
        return () -> asked.add("forget " + tree);
    }

    @Override
    public Runnable observe(Line line, HeadListener to) {
        asked.add("observe " + line);
        heads.add(to);
        return () -> asked.add("forget " + line);
    }

    @Override
    public CompletionStage<Boolean> transact(
            List<Condition> conditions, List<Op> ops, List<Peer> removed, Duration within) {
        this.conditions = List.copyOf(conditions);
        ops.forEach(op -> written.add(op instanceof Op.Put put ? new String(put.value(), UTF_8) : "nothing"));
        return outcomes.isEmpty() ? CompletableFuture.completedStage(applies) : outcomes.remove();
    }

    @Override
    public CompletionStage<Void> close() {
        asked.add("close");
        return closed;
    }
}
