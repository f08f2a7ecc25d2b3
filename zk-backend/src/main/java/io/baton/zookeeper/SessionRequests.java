package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.support.AdaptiveLimit;
import io.baton.spi.support.AdaptiveLimit.Kind;
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.PendingRequest;
import io.baton.spi.support.RunAll;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * A session's single requests. Each ends in bounded time, and reads are repeated after a reconnect.
 *
 * <p>They have a window. Transactions and reads of records begin in the order in which they were asked for; questions
 * about lines take turns with them. However many are made at once, a heartbeat waits for no more than what fits into
 * it. After a break none begins before the first beat has been sent: the holds are confirmed even if the answer to a
 * request breaks the connection again.
 */
final class SessionRequests {

    /** What transactions and reads of records are queued as, together: they keep their order. No line is called so. */
    static final String RECORDS = "";

    /** Up to this many children are listed to see whether they are contenders. */
    private static final int FEW = 64;

    /** Connections break for other reasons, too. A request that met this many in a row is perhaps the reason. */
    private static final int SUSPECT = 3;

    private final ZkSession session;
    private final Set<PendingRequest<?>> open = new LinkedHashSet<>();
    private final RequestWindow window;
    /** Whether requests may begin, if there is contact: no break has been noticed, or it is over and a beat was sent. */
    private boolean ready = true;
    /** The expected size of a record: the largest of the last ones. */
    private int recordBytes;

    SessionRequests(ZkSession session, AdaptiveLimit limit) {
        this.session = session;
        this.window = new RequestWindow(limit, session.loop()::nanoTime, () -> ready && session.connected());
    }

    /** In contact on a new connection. */
    void connected() {
        window.connected();
    }

    /** Queued requests may begin, unless they wait for the first beat after a break. */
    void inContact() {
        window.startNext();
    }

    /** The number of requests that wait for room or contact. */
    int queued() {
        return window.queued();
    }

    /** The connection has broken, or is about to: nothing begins that would break with it. */
    void broken() {
        if (ready) {
            ready = false;
            session.onReconnect(session::isOpen, this::readySoon);
        }
    }

    /** Behind the other tasks of the reconnect, of which one may schedule a beat that is due. That is sent first. */
    private void readySoon() {
        session.loop().execute(() -> session.loop().after(Duration.ZERO, this::beatSent));
    }

    private void beatSent() {
        if (session.connected()) {
            ready = true;
            window.startNext();
        } else {
            session.onReconnect(session::isOpen, this::readySoon); // broken again, perhaps before the beat
        }
    }

    /** Returns the turn of a request, which is not queued yet; see {@link RequestTurn}. */
    RequestTurn turn(String line, IntSupplier bytes, PendingRequest<?> ask, Consumer<RequestTurn> begin) {
        return new RequestTurn(window, line, bytes, ask, session.loop(), this::broken, begin);
    }

    CompletionStage<Boolean> isFree(Line line, Claim claim) {
        PendingRequest<Boolean> ask = ask("listing " + line);
        inTurn(line, ask, turn -> isFree(line, claim, ask, turn));
        return ask.answer();
    }

    CompletionStage<List<Peer>> peers(Line line) {
        PendingRequest<List<Peer>> ask = ask("listing " + line);
        inTurn(line, ask, turn -> peers(line, ask));
        return ask.answer();
    }

    CompletionStage<Optional<Entry>> details(Peer peer) {
        PendingRequest<Optional<Entry>> ask = ask("reading " + peer.name());
        inTurn(peer.line(), ask, turn -> details(peer, ask, turn));
        return ask.answer();
    }

    CompletionStage<Optional<Item>> get(RecordKey key) {
        return get(key, session.reader()::read, item -> item.value().length);
    }

    CompletionStage<Optional<byte[]>> getValue(RecordKey key) {
        return get(key, session.reader()::readValue, value -> value.length);
    }

    private <T> CompletionStage<Optional<T>> get(
            RecordKey key, BiConsumer<RecordKey, RecordReader.Result<T>> read, ToIntFunction<T> size) {
        PendingRequest<Optional<T>> ask = ask("reading " + key);
        inTurn(RECORDS, () -> recordBytes, ask, turn -> get(key, read, size, ask, turn));
        return ask.answer();
    }

    /** Writes Curator's request to release into this entry. */
    CompletionStage<Void> revoke(Peer owner, Duration within) {
        PendingRequest<Boolean> ask = ask("a request to release " + owner.name(), within);
        inTurn(owner.line(), ask, turn -> revoke(owner, ask, turn));
        return ask.answer().thenAccept(done -> {});
    }

    /** A transaction; the answer is as {@link Transaction} says. */
    CompletionStage<Optional<List<Item>>> transact(
            List<Condition> conditions, List<Op> ops, List<Peer> removed, Duration within) {
        PendingRequest<Optional<List<Item>>> ask = ask(
                ops.isEmpty()
                        ? "removing " + removed.get(0).name()
                        : "writing " + ops.get(0).key(),
                within);
        if (ask.isPending()) {
            new Transaction(session, this, conditions, ops, removed, ask).start();
        }
        return ask.answer();
    }

    /** The session has ended. */
    void sessionLost(CoordinationException why) {
        RunAll.each(open, ask -> ask.sessionLost(why));
    }

    private <T> PendingRequest<T> ask(String what) {
        return ask(what, session.timeout());
    }

    private <T> PendingRequest<T> ask(String what, Duration within) {
        var ask = new PendingRequest<T>(what, within, session.timeout(), session.loop(), open);
        if (!session.isOpen()) {
            ask.sessionLost(new SessionLostException("the session " + session.id() + " has ended"));
        }
        return ask;
    }

    private void inTurn(Line line, PendingRequest<?> ask, Consumer<RequestTurn> begin) {
        inTurn(session.address().path(line.path()), () -> 0, ask, begin);
    }

    private void inTurn(String line, IntSupplier bytes, PendingRequest<?> ask, Consumer<RequestTurn> begin) {
        if (ask.isPending()) {
            turn(line, bytes, ask, begin).enqueue();
        }
    }

    private void isFree(Line line, Claim claim, PendingRequest<Boolean> ask, RequestTurn turn) {
        String path = session.address().path(line.path());
        if (!ask.isPending()) {
            return;
        }
        if (session.lengths().knownUpTo(path, FEW)) {
            isFreeByListing(line, claim, ask);
            return;
        }
        // Not shared with other reads of the length, as it must not be older than this request.
        Consumer<Code> answered = turn.sent(Kind.READ);
        session.wire().read(path, (code, node) -> {
            answered.accept(code);
            if (code == Code.OK && node != null) {
                session.lengths().note(path, node.children());
                isFreeByLength(line, claim, node.children(), ask);
            } else if (code == Code.NONODE) {
                ask.complete(true);
            } else if (code == Code.CONNECTIONLOSS) {
                broke(ask, turn);
            } else if (code == Code.THROTTLEDOP) {
                session.onReconnect(ask::isPending, () -> isFree(line, claim, ask, turn));
            } else {
                ask.fail(Errors.of(ask.what(), code, line.path()));
            }
        });
    }

    /** The children are listed if they are few, or at an exact path, where they need not be contenders. */
    private void isFreeByLength(Line line, Claim claim, int length, PendingRequest<Boolean> ask) {
        if (length == 0) {
            ask.complete(true);
        } else if (length <= FEW || line.exact() || !claim.equals(Claim.EXCLUSIVE)) {
            isFreeByListing(line, claim, ask);
        } else {
            ask.complete(false);
        }
    }

    private void isFreeByListing(Line line, Claim claim, PendingRequest<Boolean> ask) {
        list(line, ask, ordered -> {
            List<EntryName> conflicting = ordered.entries().stream()
                    .filter(entry -> claim.conflictsWith(entry.claim()))
                    .toList();
            if (conflicting.size() == 1 && claim.equals(Claim.SHARED)) {
                isDowngraded(line, conflicting.get(0).name(), ask);
            } else {
                ask.complete(conflicting.isEmpty());
            }
        });
    }

    private void isDowngraded(Line line, String name, PendingRequest<Boolean> ask) {
        String path = session.address().path(line.path() + "/" + name);
        session.wire().read(path, (code, node) -> {
            if (Errors.passes(code)) {
                session.onReconnect(ask::isPending, () -> isFreeByListing(line, Claim.SHARED, ask));
            } else {
                ask.complete(code == Code.NONODE || (node != null && Downgrades.isMarked(node.data())));
            }
        });
    }

    private void list(Line line, PendingRequest<?> ask, Consumer<LineListing> then) {
        if (!ask.isPending()) {
            return;
        }
        session.listings().list(session.address().path(line.path()), new LineListings.Taker() {
            @Override
            public void listed(Code code, @Nullable Listing listing) {
                if (code == Code.NONODE) {
                    then.accept(LineListing.NOBODY);
                } else if (listing != null) {
                    order(line, listing, ask, then);
                } else if (Errors.passes(code)) {
                    session.onReconnect(ask::isPending, () -> list(line, ask, then));
                } else {
                    ask.fail(Errors.of(ask.what(), code, line.path()));
                }
            }

            @Override
            public void tooLong(CoordinationException why) {
                ask.fail(why);
            }
        });
    }

    private static void order(Line line, Listing listing, PendingRequest<?> ask, Consumer<LineListing> then) {
        LineListing ordered;
        try {
            ordered = listing.ordered(Naming.of(line));
        } catch (ForeignEntryException foreign) {
            ask.fail(foreign.withContext("cannot read " + line));
            return;
        }
        then.accept(ordered);
    }

    private void peers(Line line, PendingRequest<List<Peer>> ask) {
        list(line, ask, ordered -> {
            if (ordered.numbered()) {
                ask.complete(ordered.entries().stream()
                        .map(entry -> new Peer(line, entry.name(), entry.sequence(), entry.claim()))
                        .toList());
            } else {
                peersByBirth(line, ordered, ask);
            }
        });
    }

    private void peersByBirth(Line line, LineListing ordered, PendingRequest<List<Peer>> ask) {
        String path = session.address().path(line.path());
        session.czxidOrder().order(path, ordered.entries(), (failed, born, complete) -> {
            if (failed == null) {
                ask.complete(born.stream()
                        .map(one -> new Peer(line, one.name(), one.czxid(), one.claim()))
                        .toList());
            } else if (Errors.passes(failed)) {
                session.onReconnect(ask::isPending, () -> peers(line, ask));
            } else {
                ask.fail(Errors.of(ask.what(), failed, line.path()));
            }
        });
    }

    private void details(Peer peer, PendingRequest<Optional<Entry>> ask, RequestTurn turn) {
        if (!ask.isPending()) {
            return;
        }
        String path = session.address().path(peer.line().path() + "/" + peer.name());
        Consumer<Code> answered = turn.sent(Kind.READ);
        session.wire().read(path, (code, node) -> {
            answered.accept(code);
            if (code == Code.OK && node != null) {
                String owner = "0x" + Long.toHexString(node.owner());
                ask.complete(Optional.of(new Entry(peer, node.czxid(), node.data(), owner)));
            } else if (code == Code.NONODE) {
                ask.complete(Optional.empty());
            } else if (code == Code.CONNECTIONLOSS) {
                broke(ask, turn);
            } else if (code == Code.THROTTLEDOP) {
                session.onReconnect(ask::isPending, () -> details(peer, ask, turn));
            } else {
                ask.fail(Errors.of(ask.what(), code, path));
            }
        });
    }

    private void revoke(Peer owner, PendingRequest<Boolean> ask, RequestTurn turn) {
        if (!ask.isPending()) {
            return;
        }
        String path = session.address().path(owner.line().path() + "/" + owner.name());
        var write = new ZkWire.ZkOp.Write(path, Revocation.text(), -1);
        ask.writing();
        Consumer<Code> answered = turn.sent(Kind.COMMIT);
        session.wire().multi(List.of(write), (code, failedAt, zxid) -> {
            answered.accept(code);
            if (code == Code.OK || code == Code.NONODE) {
                ask.complete(true);
            } else if (code == Code.CONNECTIONLOSS) {
                broke(ask, turn);
            } else if (code == Code.THROTTLEDOP) {
                session.onReconnect(ask::isPending, () -> revoke(owner, ask, turn));
            } else {
                ask.fail(Errors.of(ask.what(), code, path));
            }
        });
    }

    private <T> void get(
            RecordKey key,
            BiConsumer<RecordKey, RecordReader.Result<T>> read,
            ToIntFunction<T> size,
            PendingRequest<Optional<T>> ask,
            RequestTurn turn) {
        if (!ask.isPending()) {
            return;
        }
        Consumer<Code> answered = turn.sent(Kind.READ);
        read.accept(key, (code, record) -> {
            recordBytes = Math.max(record.map(size::applyAsInt).orElse(0), recordBytes * 7 / 8);
            answered.accept(code);
            if (code == Code.OK) {
                ask.complete(record);
            } else if (code == Code.CONNECTIONLOSS) {
                broke(ask, turn);
            } else if (code == Code.THROTTLEDOP) {
                session.onReconnect(ask::isPending, () -> get(key, read, size, ask, turn));
            } else {
                ask.fail(Errors.of(ask.what(), code, session.tree().recordPath(key)));
            }
        });
    }

    /** The connection broke during the request, which begins again behind the first beat of the next, or fails. */
    private void broke(PendingRequest<?> ask, RequestTurn turn) {
        if (turn.breaks() < SUSPECT) {
            turn.again();
        } else {
            ask.broken(
                    "the contact broke " + turn.breaks()
                            + " times in a row during it; if the value does not fit into the "
                            + session.wire().maxAnswer() + " bytes of an answer that this client takes, raise"
                            + " jute.maxbuffer on all its clients",
                    null);
        }
    }
}
