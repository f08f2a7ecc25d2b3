package io.baton.etcd.wire;

import io.baton.CoordinationException;
import io.baton.SessionLostException;
import io.baton.etcd.wire.EtcdAddress.Host;
import io.baton.spi.Loop;
import io.baton.spi.support.RunAll;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wire over gRPC: one channel to one member at a time, and a new one for each connection.
 *
 * <p><b>Changing the member.</b> The wire moves to the next member when the transport breaks, or when the member
 * reports that it cannot serve. Such a member has no leader, is being stopped, or is a learner. On missing answers or
 * "request timed out" the wire stays. The session's heartbeat decides then, and calls {@link #reconnect}. A member of
 * another cluster is passed over; see {@link ClusterCheck}.
 *
 * <p>There is contact once a member has answered a linearizable read. That shows that it is an etcd of this cluster,
 * has a quorum, and accepts this client.
 */
public final class LiveEtcdWire implements EtcdWire {

    /**
     * A connection is good if it lasted for this many times the patience. One on which no request is answered lasts
     * twice the patience. A heartbeat is due after a quarter of the time to live, and fails after its patience, also a
     * quarter. Only with a time to live above 20 s does it last longer, and then it breaks rarely.
     */
    private static final int LASTING = 4;

    /** How often the limit of an attempt is doubled, at most. */
    private static final int MOST_DOUBLED = 3;

    private static final Logger log = LoggerFactory.getLogger(LiveEtcdWire.class);

    private final EtcdAddress address;
    private final Duration patience;
    private final Loop loop;
    private final Events events;
    private final Backoff backoff;
    private final Optional<RenewedTls> tls;
    private final Login login;
    private final ConnectFailurePolicy first;

    /** What is wrong with each member tried since the last contact. */
    private final Map<Host, String> troubles = new LinkedHashMap<>();

    private final Set<Host> questioned = new HashSet<>();

    private final List<Host> members;
    private int member;
    private int attempts;
    private final ClusterCheck cluster;
    /** The connection being tried, in use, or used last. */
    private @Nullable Connection connection;

    /** How many of the last connections had no answer in time: to the attempt, or to the first request after it. */
    private int slow;

    /** Whether the first request after the attempt has ended. */
    private boolean begun;

    private boolean contact;
    private long connectedAt;
    private boolean closed;

    private LiveEtcdWire(
            EtcdAddress address, Settings settings, AtomicLong id, Loop loop, Duration patience, Events events) {
        this.address = address;
        this.tls = settings.tls();
        this.login = new Login(settings.user(), this::loginRefused);
        this.loop = loop;
        this.patience = patience;
        this.events = events;
        this.first = new ConnectFailurePolicy(address, settings.user().isPresent());
        this.backoff = new Backoff(loop, address.hosts().size(), patience.multipliedBy(LASTING));
        this.members = inSomeOrder(address.hosts(), loop.randomLong());
        this.cluster = new ClusterCheck(id, members.size());
        loop.execute(this::attempt);
    }

    /**
     * Each client has an order of its own. In one order for all, members that restart one after the other would leave all
     * clients to one of them, for as long as that serves.
     */
    static List<Host> inSomeOrder(List<Host> hosts, long seed) {
        List<Host> order = new ArrayList<>(hosts);
        Collections.shuffle(order, new Random(seed));
        return List.copyOf(order);
    }

    /**
     * Returns a factory of wires to one cluster.
     *
     * @param id the cluster's id, for one wire after the other; 0 before the first contact
     */
    public static Factory to(EtcdAddress address, Settings settings, AtomicLong id, Loop loop) {
        return (patience, events) -> new LiveEtcdWire(address, settings, id, loop, patience, events);
    }

    @Override
    public void grant(Duration ttl, Reply<Lease> reply) {
        LeaseGrantRequest request = LeaseGrantRequest.newBuilder()
                .setTTL(ttl.plusNanos(999_999_999).toSeconds())
                .build();
        ask(
                LeaseGrpc.getLeaseGrantMethod(),
                request,
                reply,
                granted -> new Lease(
                        ProtoCodec.header(granted.getHeader()), granted.getID(), Duration.ofSeconds(granted.getTTL())));
    }

    @Override
    public void keepAlive(long lease, Reply<Lease> reply) {
        LeaseKeepAliveRequest request =
                LeaseKeepAliveRequest.newBuilder().setID(lease).build();
        ask(
                LeaseGrpc.getLeaseKeepAliveMethod(),
                request,
                reply,
                renewed -> new Lease(
                        ProtoCodec.header(renewed.getHeader()), renewed.getID(), Duration.ofSeconds(renewed.getTTL())));
    }

    @Override
    public void revoke(long lease, Reply<Header> reply) {
        LeaseRevokeRequest request =
                LeaseRevokeRequest.newBuilder().setID(lease).build();
        ask(LeaseGrpc.getLeaseRevokeMethod(), request, reply, revoked -> ProtoCodec.header(revoked.getHeader()));
    }

    @Override
    public void txn(Txn txn, Reply<Result> reply) {
        ask(KVGrpc.getTxnMethod(), ProtoCodec.txn(txn), reply, ProtoCodec::result);
    }

    @Override
    public Watch watch(Range range, long from, Watcher to) {
        Connection now = current();
        if (now != null) {
            return now.watch(ProtoCodec.watch(range, from), patience, to);
        }
        var none = new Unconnected(to);
        loop.execute(none);
        return none;
    }

    @Override
    public void reconnect(String why) {
        Connection now = current();
        if (now != null) {
            useless(now, why);
        }
    }

    @Override
    public void close() {
        closed = true;
        contact = false;
        if (connection != null) {
            connection.drop();
        }
    }

    // ---- requests

    private @Nullable Connection current() {
        return contact ? connection : null;
    }

    private <Q, A, T> void ask(MethodDescriptor<Q, A> method, Q request, Reply<T> reply, Function<A, T> translate) {
        Connection now = current();
        if (now == null) {
            loop.execute(() -> answer(reply, noContact()));
            return;
        }
        now.ask(method, request, limit(), (status, answer) -> {
            Fault fault = ErrorClassifier.of(status);
            if (!begun && now == connection) {
                begun = true;
                noteSpeed(fault.code() != Code.LOST, status);
            }
            if (answer != null) {
                reply.accept(fault, translate.apply(answer));
            } else {
                reply.accept(fault, null);
                now.onFault(fault);
            }
        });
    }

    private <T> void answer(Reply<T> reply, Fault fault) {
        if (!closed) {
            reply.accept(fault, null);
        }
    }

    private static Fault noContact() {
        return new Fault(Code.LOST, "no contact");
    }

    /** A watch requested without contact. */
    private final class Unconnected implements Watch, Runnable {

        private final Watcher to;
        private boolean over;

        Unconnected(Watcher to) {
            this.to = to;
        }

        @Override
        public void run() {
            if (!over && !closed) {
                to.ended(noContact());
            }
        }

        @Override
        public void close() {
            over = true;
        }
    }

    // ---- from member to member

    private void attempt() {
        if (closed) {
            return;
        }
        Host host = members.get(member);
        orFail(
                host,
                () -> AddressResolver.of(host, attempts++ / members.size(), patience, loop, (status, found) -> {
                    if (found != null) {
                        orFail(host, () -> attempt(host, found));
                    } else if (!closed) {
                        attemptFailed(host, status);
                    }
                }));
    }

    /** This machine may lack a thread, or the keys in a file. The next attempt may have them. */
    private void orFail(Host host, Runnable attempt) {
        try {
            attempt.run();
        } catch (Throwable broken) {
            log.warn("Cannot try {}", host, broken);
            attemptFailed(host, Status.UNAVAILABLE.withCause(broken));
        }
    }

    private void attempt(Host host, InetSocketAddress at) {
        if (closed) {
            return;
        }
        var next = new Connection(
                host, Channels.to(host, at, tls.map(RenewedTls::context), limit()), login, loop, this::useless);
        connection = next;
        try {
            next.ask(
                    KVGrpc.getRangeMethod(),
                    ProtoCodec.range(Range.presence(address.sessionKey(0))),
                    limit(),
                    (status, answer) -> attemptDone(next, status, answer));
        } catch (Throwable broken) {
            // Another attempt follows: this one may not answer as well, and nobody else drops it.
            next.drop();
            throw broken;
        }
    }

    private void attemptDone(Connection tried, Status status, @Nullable RangeResponse answer) {
        if (closed) {
            return;
        }
        if (answer == null) {
            tried.drop();
            noteSpeed(false, status);
            attemptFailed(tried.host(), status);
            return;
        }
        long answering = answer.getHeader().getClusterId();
        String misfit = cluster.text(tried.host(), answering);
        ClusterCheck.Verdict verdict = cluster.judge(tried.host(), answering);
        if (verdict == ClusterCheck.Verdict.FOREIGN) {
            tried.drop();
            trouble(tried.host(), misfit);
            next();
            return;
        } else if (verdict == ClusterCheck.Verdict.REPLACED && first.hasConnected()) {
            rejected(new SessionLostException("store replaced: " + misfit));
            return;
        }
        first.connected();
        troubles.clear();
        contact = true;
        begun = false;
        connectedAt = loop.nanoTime();
        tried.onBreak(() -> broken(tried, "the connection to " + tried.host() + " broke"));
        events.connected();
    }

    private void useless(Connection broken, String why) {
        loop.execute(() -> broken(broken, why));
    }

    private void broken(Connection broken, String why) {
        if (closed || broken != current()) {
            return;
        }
        contact = false;
        backoff.broken(connectedAt);
        // The next member is tried even if a callback throws.
        RunAll.all(
                () -> broken.end(why),
                () -> {
                    if (!closed) {
                        events.disconnected(why);
                    }
                },
                () -> {
                    if (!closed) {
                        next();
                    }
                });
    }

    private void attemptFailed(Host host, Status status) {
        Optional<CoordinationException> denied = first.denied(status);
        if (denied.isPresent()) {
            rejected(denied.get());
            return;
        }
        Diagnosis diagnosis = Diagnosis.of(host, status, address.secure());
        if (diagnosis.kind() == Diagnosis.Kind.HANGS_UP && !first.hasConnected() && questioned.add(host)) {
            TlsMismatchProbe.ask(host, address.secure(), loop, wrong -> judge(host, wrong));
        }
        judge(host, diagnosis);
        next();
    }

    /**
     * Longer after a connection that had no answer in time: a member to which many come back at once would otherwise have to
     * begin anew just before it is done, for ever.
     */
    private Duration limit() {
        return patience.multipliedBy(1L << slow);
    }

    private void noteSpeed(boolean answered, Status status) {
        if (answered) {
            slow = 0;
        } else if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            slow = Math.min(slow + 1, MOST_DOUBLED);
        }
    }

    private void judge(Host host, Diagnosis diagnosis) {
        Optional<CoordinationException> hopeless = first.giveUpReason(host, diagnosis);
        if (hopeless.isPresent()) {
            rejected(hopeless.get());
        } else if (!closed && !contact) {
            trouble(host, diagnosis.text());
        }
    }

    private void trouble(Host host, String what) {
        troubles.put(host, what);
        events.trouble(String.join("; ", troubles.values()));
    }

    private void rejected(CoordinationException why) {
        if (!closed) {
            close();
            events.rejected(why);
        }
    }

    /**
     * Final before the first contact. A client that was accepted before may get a new password, as an operator changes
     * it.
     */
    private boolean loginRefused(CoordinationException why) {
        if (first.hasConnected()) {
            return false;
        }
        rejected(why);
        return true;
    }

    private void next() {
        member = (member + 1) % members.size();
        if (!closed) {
            loop.after(backoff.next(), this::attempt);
        }
    }
}
