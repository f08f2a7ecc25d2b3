package io.baton.spi.kernel;

import static io.baton.spi.kernel.HandKernel.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.internal.HandLoop;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Availability;
import io.baton.spi.kernel.StepWire.Beaten;
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

    private final HandKernel kernel = new HandKernel(this::called);
    private final HandLoop loop = kernel.loop;
    private final List<List<Peer>> told = new ArrayList<>();
    private Duration quiet = Duration.ofSeconds(5);
    private Availability available = Availability.FREE;
    private List<Peer> stands = List.of(permit(1));

    private void called(String method, Object[] with) {
        switch (method) {
            case "attach" -> kernel.answer(with[2], new Attached(List.of(), Map.of(), "history", quiet));
            case "beat" -> kernel.answer(with[2], new Beaten(List.of(), Map.of(), quiet));
            case "peers" -> kernel.answer(with[1], stands);
            case "isFree" -> kernel.answer(with[2], available);
            case "follow" -> kernel.answer(with[1], 1L);
            default -> {}
        }
    }

    private static Peer permit(long order) {
        return new Peer(PERMITS, "entry-" + order, order, Claim.permits(1));
    }

    @BeforeEach
    void attachInTheQuiet() {
        kernel.attach(new NoListener());
    }

    @Test
    void peers_ofPermitsInTheQuiet_areToldOnceItIsOver() {
        CompletableFuture<List<Peer>> counted = kernel.session.peers(PERMITS).toCompletableFuture();
        CompletableFuture<List<Peer>> seen = kernel.session.peers(LOCK).toCompletableFuture();
        loop.pass(TTL.dividedBy(2));
        assertThat(counted).isNotDone();
        assertThat(seen).isCompleted();

        quiet = Duration.ZERO;
        loop.pass(TTL);

        assertThat(counted).isCompletedWithValue(stands);
    }

    /** A semaphore asks for both at once, and gives the same answer as a lock. */
    @Test
    void peersAndFree_quietTakesLongerThanATtl_failWithThatReason() {
        CompletableFuture<List<Peer>> counted = kernel.session.peers(PERMITS).toCompletableFuture();
        CompletableFuture<Boolean> free = kernel.session.isFree(LOCK).toCompletableFuture();

        loop.pass(TTL.plusSeconds(1));

        assertQuiet(counted);
        assertQuiet(free);
        assertThat(kernel.session.whyNoGrants(LOCK))
                .hasValueSatisfying(why -> assertThat(why).contains("5 s"));
    }

    private static void assertQuiet(CompletableFuture<?> answer) {
        assertThat(answer)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StoreUnavailableException.class)
                .withMessageContaining("is quiet after a restart");
    }

    @Test
    void isFree_inTheQuiet_isToldOnceItIsOver() {
        CompletableFuture<Boolean> free = kernel.session.isFree(LOCK).toCompletableFuture();
        loop.pass(TTL.dividedBy(2));
        assertThat(free).isNotDone();

        quiet = Duration.ZERO;
        loop.pass(TTL);

        assertThat(free).isCompletedWithValue(true);
        assertThat(kernel.session.whyNoGrants(LOCK)).isEmpty();
    }

    @Test
    void isFree_takenInTheQuiet_isToldAtOnce() {
        available = Availability.TAKEN;
        CompletableFuture<Boolean> free = kernel.session.isFree(LOCK).toCompletableFuture();

        loop.run();

        assertThat(free).isCompletedWithValue(false);
    }

    @Test
    void peers_sessionEndsInTheQuiet_fails() {
        CompletableFuture<List<Peer>> counted = kernel.session.peers(PERMITS).toCompletableFuture();
        loop.run();

        kernel.events.over(new SessionLostException("expired"));
        loop.run();

        assertThat(counted).isCompletedExceptionally();
    }

    @Test
    void observePeers_ofPermitsInTheQuiet_areToldOnceItIsOver() {
        kernel.session.observePeers(PERMITS, told::add);
        loop.pass(TTL);
        assertThat(told).isEmpty();

        stands = List.of(permit(1), permit(2));
        kernel.events.changed(new StepWire.Topic.Entries(PERMITS), 2);
        loop.run();
        quiet = Duration.ZERO;
        loop.pass(TTL);

        assertThat(told).containsExactly(stands);
    }

    @Test
    void observePeers_stoppedInTheQuiet_areNotTold() {
        Runnable stop = kernel.session.observePeers(PERMITS, told::add);
        loop.run();
        stop.run();

        quiet = Duration.ZERO;
        loop.pass(TTL);

        assertThat(told).isEmpty();
    }
}
