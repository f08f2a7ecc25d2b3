package io.baton.spi.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.SessionLostException;
import io.baton.internal.HandLoop;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import io.baton.spi.SessionSpec;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Reply;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fail-over may have lost a holder's entry before the holder knows: permits are counted once the store is not quiet. */
class QuietPermitsTest {

    private static final Line PERMITS = Line.of("semaphores/seats", Line.Kind.PERMITS);
    private static final Line LOCK = Line.of("locks/orders");
    private static final Duration TTL = Duration.ofSeconds(4);

    private final HandLoop loop = new HandLoop();
    private final List<List<Peer>> told = new ArrayList<>();
    private Duration quiet = Duration.ofSeconds(5);
    private List<Peer> stands = List.of(permit(1));
    private StepWire.Events events;
    private Session session;

    private final StepWire wire = (StepWire) Proxy.newProxyInstance(
            StepWire.class.getClassLoader(), new Class<?>[] {StepWire.class}, (own, step, with) -> {
                switch (step.getName()) {
                    case "attach" -> answer(with[2], new Attached(List.of(), Map.of(), "history", quiet));
                    case "beat" -> answer(with[2], new Beaten(List.of(), Map.of(), quiet));
                    case "peers" -> answer(with[1], stands);
                    case "follow" -> answer(with[1], 1L);
                    default -> {}
                }
                return null;
            });

    private static Peer permit(long order) {
        return new Peer(PERMITS, "entry-" + order, order, Claim.permits(1));
    }

    @SuppressWarnings("unchecked")
    private <T> void answer(Object reply, T with) {
        loop.execute(() -> ((Reply<T>) reply).answered(with));
    }

    @BeforeEach
    void attachInTheQuiet() {
        session = KernelSession.open(
                (id, ttl, client, on, to) -> {
                    events = to;
                    return wire;
                },
                "session",
                new SessionSpec(TTL, "test"),
                Duration.ofSeconds(2),
                loop,
                new NoListener());
        loop.run();
    }

    @Test
    void peers_ofPermitsInTheQuiet_areToldOnceItIsOver() {
        CompletableFuture<List<Peer>> counted = session.peers(PERMITS).toCompletableFuture();
        CompletableFuture<List<Peer>> seen = session.peers(LOCK).toCompletableFuture();
        loop.pass(TTL);
        assertThat(counted).isNotDone();
        assertThat(seen).isCompleted();

        quiet = Duration.ZERO;
        loop.pass(TTL);

        assertThat(counted).isCompletedWithValue(stands);
    }

    @Test
    void peers_sessionEndsInTheQuiet_fails() {
        CompletableFuture<List<Peer>> counted = session.peers(PERMITS).toCompletableFuture();
        loop.run();

        events.over(new SessionLostException("expired"));
        loop.run();

        assertThat(counted).isCompletedExceptionally();
    }

    @Test
    void observePeers_ofPermitsInTheQuiet_areToldOnceItIsOver() {
        session.observePeers(PERMITS, told::add);
        loop.pass(TTL);
        assertThat(told).isEmpty();

        stands = List.of(permit(1), permit(2));
        events.changed(new StepWire.Topic.Entries(PERMITS), 2);
        loop.run();
        quiet = Duration.ZERO;
        loop.pass(TTL);

        assertThat(told).containsExactly(stands);
    }

    @Test
    void observePeers_stoppedInTheQuiet_areNotTold() {
        Runnable stop = session.observePeers(PERMITS, told::add);
        loop.run();
        stop.run();

        quiet = Duration.ZERO;
        loop.pass(TTL);

        assertThat(told).isEmpty();
    }
}
