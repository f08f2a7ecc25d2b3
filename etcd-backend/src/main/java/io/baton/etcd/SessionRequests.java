package io.baton.etcd;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.etcd.RequestWindow.Priority;
import io.baton.etcd.wire.Errors;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.PendingRequest;
import io.baton.spi.support.RunAll;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A session's single requests. Each ends in bounded time, and reads are repeated after a reconnect. */
final class SessionRequests {

    /** Two entries that another program created in one transaction share a revision. Their keys order them. */
    private static final Comparator<Kv> LINE_ORDER =
            Comparator.comparingLong(Kv::created).thenComparing(Kv::key);

    private final EtcdContext context;
    private final Set<PendingRequest<?>> open = new LinkedHashSet<>();

    SessionRequests(EtcdContext context) {
        this.context = context;
    }

    CompletionStage<Boolean> isFree(Line line, Claim claim) {
        PendingRequest<Boolean> ask = ask("listing " + line);
        if (claim.equals(Claim.SHARED)) {
            String exclusive = below(line) + EntryNames.conflicting(line.kind(), claim);
            read(Range.newestValues(exclusive, 2, 0), ask, found -> ask.complete(areDowngraded(found.kvs())));
        } else {
            read(
                    Range.anyBelow(below(line)),
                    ask,
                    found -> ask.complete(found.kvs().isEmpty()));
        }
        return ask.answer();
    }

    /** Whether all of these exclusive entries, of which there are no more than two, are downgraded. One can be. */
    private static boolean areDowngraded(List<Kv> exclusive) {
        return exclusive.stream().allMatch(entry -> Downgrades.isMarked(entry.value()));
    }

    CompletionStage<List<Peer>> peers(Line line) {
        PendingRequest<List<Peer>> ask = ask("listing " + line);
        list(line, below(line), ask);
        return ask.answer();
    }

    /** Read in pages, as a single answer with a long line would be unbounded. */
    private void list(Line line, String prefix, PendingRequest<List<Peer>> ask) {
        Pages.ofKeys().read(context.window(), Range.keysBelow(prefix), ask::isPending, new Pages.Done() {
            @Override
            public void read(List<Kv> all, Header header) {
                ask.complete(all.stream()
                        .sorted(LINE_ORDER)
                        .map(kv -> peer(line, kv.key().substring(prefix.length()), kv.created()))
                        .toList());
            }

            @Override
            public void failed(Fault why) {
                if (why.code() == Code.LOST) {
                    context.onReconnect(ask::isPending, () -> list(line, prefix, ask));
                } else if (why.code() == Code.COMPACTED) {
                    list(line, prefix, ask);
                } else {
                    ask.fail(Errors.of(ask.what(), why));
                }
            }
        });
    }

    private static Peer peer(Line line, String name, long created) {
        return new Peer(line, name, created, EntryNames.claim(line.kind(), name));
    }

    CompletionStage<Optional<Entry>> details(Peer peer) {
        PendingRequest<Optional<Entry>> ask = ask("reading " + peer.name());
        // A key rewritten by others is another entry.
        read(
                Range.key(below(peer.line()) + peer.name()),
                ask,
                found -> ask.complete(found.first()
                        .filter(kv -> kv.created() == peer.order())
                        .map(kv -> new Entry(peer, kv.created(), kv.value(), "0x" + Long.toHexString(kv.lease())))));
        return ask.answer();
    }

    CompletionStage<Optional<Item>> get(RecordKey key) {
        PendingRequest<Optional<Item>> ask = ask("reading " + key);
        read(
                Range.key(RecordKeys.of(key, context)),
                ask,
                found -> ask.complete(
                        found.first().map(kv -> new Item(key, kv.value(), new EtcdRevision(kv.written())))));
        return ask.answer();
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
            new Transaction(context, conditions, ops, removed, ask).start();
        }
        return ask.answer();
    }

    /** The session has ended. */
    void sessionLost(CoordinationException why) {
        RunAll.each(open, ask -> ask.sessionLost(why));
    }

    private <T> PendingRequest<T> ask(String what) {
        return ask(what, context.timeout());
    }

    private <T> PendingRequest<T> ask(String what, Duration within) {
        var ask = new PendingRequest<T>(what, within, context.timeout(), context.loop(), open);
        if (!context.isOpen()) {
            ask.sessionLost(new SessionLostException("the session " + context.id() + " has ended"));
        }
        return ask;
    }

    private String below(Line line) {
        return context.key(line) + "/";
    }

    private void read(Range range, PendingRequest<?> ask, Consumer<Part> then) {
        context.window()
                .request(
                        range.key(),
                        Priority.HIGH,
                        ask::isPending,
                        turn -> turn.txn(Txn.read(range), (fault, result) -> {
                            if (result != null) {
                                then.accept(result.parts().get(0));
                            } else if (fault.code() == Code.LOST) {
                                context.onReconnect(ask::isPending, () -> read(range, ask, then));
                            } else {
                                ask.fail(Errors.of(ask.what(), fault));
                            }
                        }))
                .send();
    }
}
