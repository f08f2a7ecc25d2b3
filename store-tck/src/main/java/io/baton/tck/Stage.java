package io.baton.tck;

import static io.baton.tck.Chapter.outcome;
import static io.baton.tck.Chapter.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.SessionState;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One run of an act, with two clients, a lock and a tree of records of its own. The contact of one client is cut. The
 * stage checks that no two hold at once, that tokens rise, and that no session is lost.
 */
final class Stage implements AutoCloseable {

    private static final AtomicLong stages = new AtomicLong();

    private final StoreUnderTest store;
    private final Duration ttl;
    private final Cut cut;
    private final String name = "cut-" + stages.incrementAndGet();
    private final Coordinator steady;
    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<?>> looks = new CopyOnWriteArrayList<>();
    private final List<String> breaches = new CopyOnWriteArrayList<>();
    private final List<TckClient> sessions = new ArrayList<>();
    private @Nullable Coordinator troubled;
    private Cuts.@Nullable Cut armed;

    /** The cut of this run; {@code inDoubt}, it counts messages once the first answer was lost. */
    record Cut(boolean inDoubt, Direction direction, Moment moment, int n) {}

    private Stage(StoreUnderTest store, Duration ttl, Cut cut) throws InterruptedException {
        this.store = store;
        this.ttl = ttl;
        this.cut = cut;
        this.steady = connect(store.steadyUri().orElseThrow(), "tck-steady");
    }

    /**
     * Opens a stage for this act. An act that waits for heartbeats has shorter sessions, which send them more often.
     */
    static Stage open(Callable<StoreUnderTest> stores, Act act, Cut cut) {
        try {
            return open(stores.call(), act, cut);
        } catch (Exception failed) {
            throw new IllegalStateException("the stage cannot be set", failed);
        }
    }

    private static Stage open(StoreUnderTest store, Act act, Cut cut) throws Exception {
        try {
            return new Stage(store, store.ttl().multipliedBy(act == Act.HEARTBEAT ? 2 : 8), cut);
        } catch (RuntimeException | InterruptedException failed) {
            store.close();
            throw failed;
        }
    }

    /** The name of the lock and of the tree of records. */
    String name() {
        return name;
    }

    Coordinator steady() {
        return steady;
    }

    /** The client whose contact is cut; connects on the first call. */
    Coordinator troubled() throws InterruptedException {
        Coordinator there = troubled;
        if (there == null) {
            there = connect(store.uri(), "tck");
            troubled = there;
            there.onState(state -> {
                if (state == SessionState.LOST) {
                    breaches.add("the session was lost");
                }
            });
        }
        return there;
    }

    /** Opens a session whose contact is cut, without a coordinator. */
    TckClient session() {
        TckClient session = TckClient.open(Chapter.storeAt(store.uri()), "tck", ttl);
        sessions.add(session);
        soon().until(() -> session.told().contains("connected"));
        return session;
    }

    /** The path of the stage's lock. */
    String line() {
        return "locks/" + name;
    }

    /** Starts to count messages. */
    void arm() throws InterruptedException {
        if (troubled != null) {
            awaitQuiet();
        }
        Cuts cuts = store.cuts().orElseThrow();
        armed = cut.inDoubt()
                ? cuts.at(Direction.TO_CLIENT, Moment.BEFORE, 1).then(cut.direction(), cut.moment(), cut.n())
                : cuts.at(cut.direction(), cut.moment(), cut.n());
    }

    /** Stops counting, and returns the message at which contact was cut. */
    Optional<String> disarm() {
        if (armed == null) {
            throw new IllegalStateException("never armed");
        }
        armed.disarm();
        return armed.message();
    }

    /** Acquires the stage's lock. On a grant, compares the hold with all other holds. */
    CompletableFuture<Hold> acquire(Coordinator baton) {
        return acquire(lock(baton));
    }

    /** Acquires the stage's lock, which may have options; as {@link #acquire(Coordinator)}. */
    CompletableFuture<Hold> acquire(DistributedLock lock) {
        List<Hold> before = List.copyOf(holds);
        CompletableFuture<Hold> asked = lock.acquireAsync();
        looks.add(asked.thenAccept(hold -> look(hold, before)).exceptionally(notGranted -> null));
        return asked;
    }

    /** Waits until the line has this length, as the client without cuts sees it. */
    void awaitQueue(int length) {
        soon().until(() -> lock(steady).queue().size() == length);
    }

    /** Waits until the client with cuts is in contact and all its earlier requests were answered. */
    void awaitQuiet() throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            assertThat(troubled().records(name).get("nothing")).isEmpty();
        }
    }

    /** Checks what holds after any cut: no entry stays, both clients are granted in turn, and no two held at once. */
    void finish() throws InterruptedException {
        disarm();
        awaitQueue(0);
        outcome(acquire(steady)).close();
        outcome(acquire(troubled())).close();
        awaitQueue(0);
        looks.forEach(CompletableFuture::join);
        for (TckClient session : sessions) {
            breaches.addAll(session.breaches());
            if (session.told().contains("lost")) {
                breaches.add("the session was lost");
            }
        }
        assertThat(breaches).isEmpty();
    }

    @Override
    public void close() {
        try {
            closeClients();
        } catch (Exception failed) {
            throw new IllegalStateException("the stage cannot be cleared", failed);
        }
    }

    private void closeClients() throws Exception {
        try {
            if (troubled != null) {
                troubled.close();
            }
            sessions.forEach(TckClient::close);
            steady.close();
        } finally {
            store.close();
        }
    }

    @Override
    public String toString() {
        return "contact cut " + (cut.inDoubt() ? "again " : "") + cut.moment() + " message " + cut.n() + " "
                + cut.direction() + ", " + (armed == null ? "" : armed.message().orElse("not made"));
    }

    private DistributedLock lock(Coordinator baton) {
        return baton.lock(name);
    }

    /** A grant from before this request was earlier. The callbacks of other grants may come in any order. */
    private void look(Hold granted, List<Hold> before) {
        for (Hold other : before) {
            if (!isEarlier(other, granted)) {
                breaches.add(granted + " came after " + other);
            }
        }
        holds.add(granted);
        for (Hold other : holds) {
            if (other != granted && isValid(other) && isValid(granted)) {
                breaches.add("two hold, " + other + " and " + granted);
            }
        }
    }

    /** Whether the token is smaller, or in a place that owners share, the turn. */
    private static boolean isEarlier(Hold one, Hold other) {
        return one.token() < other.token() || (one.token() == other.token() && one.turn() < other.turn());
    }

    private static boolean isValid(Hold hold) {
        return (hold.state() == HoldState.HELD || hold.state() == HoldState.JEOPARDY)
                && !hold.remaining().isZero();
    }

    private Coordinator connect(String uri, String client) throws InterruptedException {
        var options = CoordinatorOptions.builder()
                .ttl(ttl)
                .connectTimeout(Chapter.PATIENCE)
                .client(client)
                .build();
        return Coordinator.connect(uri, options);
    }
}
