package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Telemetry.Request.Kind;
import io.baton.Telemetry.Request.Outcome;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Proof;
import io.baton.spi.RequestListener;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.TreeListener;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The client's side of a session: keeps its lease alive and passes on the store's notifications. On its loop. */
final class MemorySession implements Session, Lease.Client {

    /** Below this, a quarter of the ttl and the margin would together be more than half of the ttl. */
    static final Duration SHORTEST = Duration.ofMillis(250);

    private static final long FIXED_MARGIN_NANOS = 50_000_000;

    private final MemoryServer server;
    private final Duration ttl;
    private final boolean raised;
    private final Loop loop;
    private final SessionListener to;
    private final Optional<RequestListener> requests;
    private final Lease lease;
    private final Set<MemoryPlace> places = new LinkedHashSet<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean closing;
    private Loop.@Nullable Timer beat;
    private @Nullable CoordinationException over;

    private volatile Link link = Link.SUSPENDED;
    private volatile Proof proof;

    private MemorySession(MemoryServer server, SessionSpec spec, Duration ttl, Loop loop, SessionListener to) {
        this.server = server;
        this.ttl = ttl;
        this.raised = ttl.compareTo(spec.ttl()) > 0;
        this.loop = loop;
        this.to = to;
        this.requests = to.requestListener();
        long now = loop.nanoTime();
        proof = new Proof(now, loop.wallMillis(), now, marginNanos());
        lease = server.lease(new SessionSpec(ttl, spec.client()), loop, this);
    }

    /** Opens a session with this ttl, whatever the spec asks for. */
    static MemorySession open(MemoryServer server, SessionSpec spec, Duration ttl, Loop loop, SessionListener to) {
        var session = new MemorySession(server, spec, ttl, loop, to);
        server.open(session.lease);
        loop.execute(session::keepAlive);
        return session;
    }

    // ---- liveness ----

    @Override
    public String id() {
        return lease.id();
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public Proof proof() {
        return proof;
    }

    @Override
    public Duration timeout() {
        return ttl;
    }

    @Override
    public Optional<String> whyTimeoutRaised() {
        return raised
                ? Optional.of("renewed every quarter of it, less than half of a shorter one would be left at times")
                : Optional.empty();
    }

    @Override
    public void requestProof() {
        loop.execute(this::renew);
    }

    @Override
    public CompletionStage<Void> close() {
        if (!closing) {
            closing = true;
            server.close(lease, new SessionLostException("session " + id() + " was closed"));
        }
        return closed;
    }

    @Override
    public void connected() {
        if (over == null) {
            link = Link.CONNECTED;
            boolean better = renewed();
            to.connected();
            if (better) {
                to.proven();
            }
        }
    }

    @Override
    public void suspended() {
        if (over == null) {
            link = Link.SUSPENDED;
            to.suspended();
        }
    }

    @Override
    public void ended(CoordinationException why) {
        if (over != null) {
            return;
        }
        over = why;
        link = Link.LOST;
        if (beat != null) {
            beat.cancel();
        }
        List.copyOf(places).forEach(place -> place.lost(why));
        to.lost(why);
        closed.complete(null);
    }

    private void keepAlive() {
        if (over == null) {
            renew();
            beat = loop.after(ttl.dividedBy(4), this::keepAlive);
        }
    }

    private void renew() {
        if (renewed() && over == null) {
            to.proven();
        }
    }

    /** Renews the lease as of this reading of the clocks. Other clients' expired leases end in any case. */
    private boolean renewed() {
        long sent = loop.nanoTime();
        long sentWall = loop.wallMillis();
        if (!server.renew(lease, sent)) {
            return false;
        }
        requests.ifPresent(each -> each.answered(Kind.COMMIT, Outcome.OK, loop.nanoTime() - sent));
        long margin = marginNanos();
        proof = new Proof(sent, sentWall, sent + ttl.toNanos() - margin, margin);
        return true;
    }

    private long marginNanos() {
        return FIXED_MARGIN_NANOS + ttl.toNanos() / 100;
    }

    // ---- lines ----

    @Override
    public Place join(Line line, Claim claim, byte[] payload, PlaceListener to) {
        line.check(claim);
        MemoryPlace place = new MemoryPlace(this, line, claim, to);
        places.add(place);
        byte[] copy = payload.clone();
        Supplier<Runnable> serve = () -> {
            server.join(lease, place, line, claim, copy);
            return () -> {};
        };
        // A place that has been left meanwhile must not join after its removal.
        Consumer<Request> lost = request -> {
            if (!place.isClosed()) {
                send(request);
            }
        };
        send(Request.of("join", Kind.JOIN, serve, lost, place::lost));
        return place;
    }

    /** For {@link MemoryPlace#leave}; a session that has ended has nothing left to remove. */
    CompletableFuture<Void> leave(MemoryPlace place) {
        places.remove(place);
        var left = new CompletableFuture<Void>();
        Supplier<Runnable> remove = () -> {
            server.leave(place);
            return () -> left.complete(null);
        };
        send(Request.of("leave", Kind.DELETE, remove, this::send, sessionIsOver -> left.complete(null)));
        return left;
    }

    /** For {@link MemoryPlace#downgrade}. */
    CompletableFuture<Void> downgrade(MemoryPlace place) {
        var done = new CompletableFuture<Void>();
        Supplier<Runnable> serve = () -> {
            server.downgrade(place);
            return () -> done.complete(null);
        };
        send(Request.of("downgrade", Kind.TRANSACT, serve, this::send, done::completeExceptionally));
        return done;
    }

    void forget(MemoryPlace place) {
        places.remove(place);
    }

    @Override
    public CompletionStage<Boolean> isFree(Line line, Claim claim) {
        line.check(claim);
        return ask("free", Kind.LIST, () -> server.lines().isFree(Lines.key(line), claim));
    }

    @Override
    public CompletionStage<List<Peer>> peers(Line line) {
        return ask("peers", Kind.LIST, () -> server.lines().peers(Lines.key(line)));
    }

    @Override
    public CompletionStage<Optional<Entry>> details(Peer peer) {
        return ask(
                "details",
                Kind.READ,
                () -> Optional.ofNullable(server.lines().find(peer)).map(MemoryEntry::entry));
    }

    // ---- records ----

    @Override
    public CompletionStage<Optional<Item>> get(RecordKey key) {
        return ask("get", Kind.READ, () -> server.values().get(key));
    }

    @Override
    public Runnable observe(String tree, TreeListener to) {
        var observation = new MemoryTreeObserver(tree, to, lease, server.values());
        Supplier<Runnable> begin = () -> {
            lease.observations.remove(observation);
            lease.observations.add(observation);
            observation.resync();
            return () -> {};
        };
        Supplier<Runnable> end = () -> {
            lease.observations.remove(observation);
            return () -> {};
        };
        return observing(begin, end, observation::stopped, observation::stop);
    }

    /** Observes until stopped; the task returned stops it. */
    private Runnable observing(
            Supplier<Runnable> begin, Supplier<Runnable> end, BooleanSupplier stopped, Runnable stop) {
        Consumer<Request> lost = request -> {
            if (!stopped.getAsBoolean()) {
                send(request);
            }
        };
        send(Request.of("observe", Kind.WATCH, begin, lost, sessionIsOver -> {}));
        return () -> {
            stop.run();
            send(Request.of("forget", Kind.WATCH, end, this::send, sessionIsOver -> {}));
        };
    }

    @Override
    public Runnable observe(Line line, HeadListener to) {
        return observing(new MemoryLineObserver<>(
                Lines.key(line), lease, this::head, head -> to.head(head.map(MemoryEntry::entry))));
    }

    private Optional<MemoryEntry> head(String path) {
        return Optional.ofNullable(server.lines().first(path));
    }

    @Override
    public Runnable observePeers(Line line, Consumer<List<Peer>> to) {
        return observing(new MemoryLineObserver<>(Lines.key(line), lease, server.lines()::peers, to));
    }

    private Runnable observing(MemoryLineObserver<?> observation) {
        Supplier<Runnable> begin = () -> {
            lease.lines.remove(observation);
            lease.lines.add(observation);
            observation.resync();
            return () -> {};
        };
        Supplier<Runnable> end = () -> {
            lease.lines.remove(observation);
            return () -> {};
        };
        return observing(begin, end, observation::stopped, observation::stop);
    }

    @Override
    public CompletionStage<Boolean> transact(List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        List<Condition> mustHold = List.copyOf(conditions);
        List<Op> toApply = List.copyOf(ops);
        List<Peer> toRemove = List.copyOf(removed);
        Consumer<CompletableFuture<Boolean>> lost = answer -> answer.completeExceptionally(new OutcomeUnknownException(
                "the contact broke before the store had answered; it may have been applied"));
        return ask("transact", Kind.TRANSACT, () -> server.transact(mustHold, toApply, toRemove), lost);
    }

    // ---- requests ----

    /** Sends a request that changes nothing, and sends it again if it was lost. */
    private <T> CompletionStage<T> ask(String name, Kind kind, Supplier<T> question) {
        return ask(name, kind, question, answer -> {});
    }

    /** Sends a request. If its answer is lost, {@code lost} may fail the future; otherwise it is sent again. */
    private <T> CompletionStage<T> ask(
            String name, Kind kind, Supplier<T> question, Consumer<CompletableFuture<T>> lost) {
        var answer = new CompletableFuture<T>();
        Supplier<Runnable> serve = () -> {
            T value = question.get();
            return () -> answer.complete(value);
        };
        Consumer<Request> again = request -> {
            lost.accept(answer);
            sendFor(answer, request);
        };
        sendFor(answer, Request.of(name, kind, serve, again, answer::completeExceptionally));
        return answer;
    }

    /** Sends the request unless answered. It is given up without contact for as long as the session's timeout. */
    private void sendFor(CompletableFuture<?> answer, Request request) {
        Request sent = reporting(request);
        if (!answer.isDone() && !server.request(lease, sent)) {
            Loop.Timer patience = loop.after(ttl, () -> giveUp(sent));
            answer.whenComplete((value, failure) -> patience.cancel());
        }
    }

    private void giveUp(Request request) {
        if (server.withdraw(lease, request)) {
            request.refuse(new StoreUnavailableException(
                    "no contact with the store for " + ttl.toMillis() + " ms; nothing was applied"));
        }
    }

    /** Returns the same request, which also reports its outcome to the request listener, if there is one. */
    private Request reporting(Request request) {
        if (requests.isEmpty()) {
            return request;
        }
        RequestListener listener = requests.get();
        long sent = loop.nanoTime();
        Consumer<Outcome> tell = outcome -> listener.answered(request.kind(), outcome, loop.nanoTime() - sent);
        Supplier<Runnable> serve = () -> {
            Runnable answer = request.serve();
            return () -> {
                answer.run();
                tell.accept(Outcome.OK);
            };
        };
        Consumer<Request> lost = same -> {
            tell.accept(Outcome.UNANSWERED);
            request.lost();
        };
        return Request.of(request.name(), request.kind(), serve, lost, why -> {
            tell.accept(Outcome.UNANSWERED);
            request.refuse(why);
        });
    }

    private void send(Request request) {
        server.request(lease, reporting(request));
    }
}
