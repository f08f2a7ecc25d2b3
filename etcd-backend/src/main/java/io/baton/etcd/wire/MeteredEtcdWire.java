package io.baton.etcd.wire;

import io.baton.Telemetry.Request.Kind;
import io.baton.Telemetry.Request.Outcome;
import io.baton.spi.Loop;
import io.baton.spi.RequestListener;
import io.baton.spi.SessionListener;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A wire that reports the outcome and the duration of each request. It is used only with a request listener. */
public final class MeteredEtcdWire implements EtcdWire {

    private final EtcdWire wire;
    private final Loop loop;
    private final RequestListener to;

    /** Returns a factory whose wires are metered if the listener has a request listener. */
    public static Factory ifWanted(Factory plain, Loop loop, SessionListener listener) {
        return listener.requestListener()
                .<Factory>map(to -> (patience, events) -> new MeteredEtcdWire(plain.open(patience, events), loop, to))
                .orElse(plain);
    }

    private MeteredEtcdWire(EtcdWire wire, Loop loop, RequestListener to) {
        this.wire = wire;
        this.loop = loop;
        this.to = to;
    }

    @Override
    public void grant(Duration ttl, Reply<Lease> reply) {
        wire.grant(ttl, metered(Kind.CREATE, reply));
    }

    @Override
    public void keepAlive(long lease, Reply<Lease> reply) {
        wire.keepAlive(lease, metered(Kind.COMMIT, reply));
    }

    @Override
    public void revoke(long lease, Reply<Header> reply) {
        wire.revoke(lease, metered(Kind.DELETE, reply));
    }

    @Override
    public void txn(Txn txn, Reply<Result> reply) {
        Kind kind = kind(txn);
        long sent = loop.nanoTime();
        wire.txn(txn, (fault, result) -> {
            Outcome outcome = result != null && !result.met() ? Outcome.REFUSED : outcome(fault);
            to.answered(kind, outcome, loop.nanoTime() - sent);
            reply.accept(fault, result);
        });
    }

    @Override
    public Watch watch(Range range, long from, Watcher watcher) {
        long sent = loop.nanoTime();
        return wire.watch(range, from, new Watcher() {

            private boolean answered;

            @Override
            public void created(Header header) {
                answered(Outcome.OK);
                watcher.created(header);
            }

            @Override
            public void events(List<Event> events, Header header) {
                watcher.events(events, header);
            }

            @Override
            public void ended(Fault why) {
                answered(outcome(why));
                watcher.ended(why);
            }

            private void answered(Outcome outcome) {
                if (!answered) {
                    answered = true;
                    to.answered(Kind.WATCH, outcome, loop.nanoTime() - sent);
                }
            }
        });
    }

    @Override
    public void reconnect(String why) {
        wire.reconnect(why);
    }

    @Override
    public void close() {
        wire.close();
    }

    /**
     * A transaction with only reads is LIST or READ. A put with a lease is a place, or a session's own key. A lone
     * delete removes an entry.
     */
    private static Kind kind(Txn txn) {
        List<Request> all =
                Stream.concat(txn.then().stream(), txn.otherwise().stream()).toList();
        if (all.stream().anyMatch(request -> request instanceof Put put && put.lease() > 0)) {
            return Kind.JOIN;
        } else if (all.stream().anyMatch(Put.class::isInstance)) {
            return Kind.TRANSACT;
        } else if (all.stream().anyMatch(Delete.class::isInstance)) {
            return all.size() == 1 ? Kind.DELETE : Kind.TRANSACT;
        }
        boolean lists = all.stream().anyMatch(request -> request instanceof Range range && range.prefix());
        return lists ? Kind.LIST : Kind.READ;
    }

    private <T> Reply<T> metered(Kind kind, Reply<T> reply) {
        long sent = loop.nanoTime();
        return (fault, value) -> {
            to.answered(kind, outcome(fault), loop.nanoTime() - sent);
            reply.accept(fault, value);
        };
    }

    private static Outcome outcome(Fault fault) {
        return switch (fault.code()) {
            case OK -> Outcome.OK;
            case LOST -> Outcome.UNANSWERED;
            case NO_LEASE, COMPACTED, REFUSED -> Outcome.REFUSED;
            case DENIED, TOO_LARGE, OVERLOADED, NO_SPACE -> Outcome.FAILED;
        };
    }
}
