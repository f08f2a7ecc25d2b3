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
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.PendingRequest;
import io.baton.spi.support.RunAll;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** A session's single requests. Each ends in bounded time, and reads are repeated after a reconnect. */
final class SessionRequests {

    /** Up to this many children are listed to see whether they are contenders. */
    private static final int FEW = 64;

    private final ZkSession session;
    private final Set<PendingRequest<?>> open = new LinkedHashSet<>();

    SessionRequests(ZkSession session) {
        this.session = session;
    }

    CompletionStage<Boolean> isFree(Line line, Claim claim) {
        PendingRequest<Boolean> ask = ask("listing " + line);
        isFree(line, claim, ask);
        return ask.answer();
    }

    CompletionStage<List<Peer>> peers(Line line) {
        PendingRequest<List<Peer>> ask = ask("listing " + line);
        peers(line, ask);
        return ask.answer();
    }

    CompletionStage<Optional<Entry>> details(Peer peer) {
        PendingRequest<Optional<Entry>> ask = ask("reading " + peer.name());
        details(peer, ask);
        return ask.answer();
    }

    CompletionStage<Optional<Item>> get(RecordKey key) {
        return get(key, session.reader()::read);
    }

    CompletionStage<Optional<byte[]>> getValue(RecordKey key) {
        return get(key, session.reader()::readValue);
    }

    private <T> CompletionStage<Optional<T>> get(RecordKey key, BiConsumer<RecordKey, RecordReader.Result<T>> read) {
        PendingRequest<Optional<T>> ask = ask("reading " + key);
        get(key, read, ask);
        return ask.answer();
    }

    /** Writes Curator's request to release into this entry. */
    CompletionStage<Void> revoke(Peer owner, Duration within) {
        PendingRequest<Boolean> ask = ask("a request to release " + owner.name(), within);
        revoke(owner, ask);
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
            new Transaction(session, conditions, ops, removed, ask).start();
        }
        return ask.answer();
    }

    /** The session has ended. */
    void sessionLost(CoordinationException why) {
        var steps = new ArrayList<Runnable>();
        open.forEach(ask -> steps.add(() -> ask.sessionLost(why)));
        RunAll.all(steps);
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

    private void isFree(Line line, Claim claim, PendingRequest<Boolean> ask) {
        String path = session.address().path(line.path());
        if (!ask.isPending()) {
            return;
        }
        if (session.lengths().knownUpTo(path, FEW)) {
            isFreeByListing(line, claim, ask);
            return;
        }
        // Not shared with other reads of the length, as it must not be older than this request.
        session.wire().read(path, (code, node) -> {
            if (code == Code.OK && node != null) {
                session.lengths().note(path, node.children());
                isFreeByLength(line, claim, node.children(), ask);
            } else if (code == Code.NONODE) {
                ask.complete(true);
            } else if (Errors.passes(code)) {
                session.onReconnect(ask::isPending, () -> isFree(line, claim, ask));
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

    private void details(Peer peer, PendingRequest<Optional<Entry>> ask) {
        if (!ask.isPending()) {
            return;
        }
        String path = session.address().path(peer.line().path() + "/" + peer.name());
        session.wire().read(path, (code, node) -> {
            if (code == Code.OK && node != null) {
                String owner = "0x" + Long.toHexString(node.owner());
                ask.complete(Optional.of(new Entry(peer, node.czxid(), node.data(), owner)));
            } else if (code == Code.NONODE) {
                ask.complete(Optional.empty());
            } else if (Errors.passes(code)) {
                session.onReconnect(ask::isPending, () -> details(peer, ask));
            } else {
                ask.fail(Errors.of(ask.what(), code, path));
            }
        });
    }

    private void revoke(Peer owner, PendingRequest<Boolean> ask) {
        if (!ask.isPending()) {
            return;
        }
        String path = session.address().path(owner.line().path() + "/" + owner.name());
        var write = new ZkWire.ZkOp.Write(path, Revocation.text(), -1);
        ask.writing();
        session.wire().multi(List.of(write), (code, failedAt, zxid) -> {
            if (code == Code.OK || code == Code.NONODE) {
                ask.complete(true);
            } else if (Errors.passes(code)) {
                session.onReconnect(ask::isPending, () -> revoke(owner, ask));
            } else {
                ask.fail(Errors.of(ask.what(), code, path));
            }
        });
    }

    private <T> void get(
            RecordKey key, BiConsumer<RecordKey, RecordReader.Result<T>> read, PendingRequest<Optional<T>> ask) {
        if (!ask.isPending()) {
            return;
        }
        read.accept(key, (code, record) -> {
            if (code == Code.OK) {
                ask.complete(record);
            } else if (Errors.passes(code)) {
                session.onReconnect(ask::isPending, () -> get(key, read, ask));
            } else {
                ask.fail(Errors.of(ask.what(), code, session.tree().recordPath(key)));
            }
        });
    }
}
