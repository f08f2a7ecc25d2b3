package io.baton.spi.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.HandLoop;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import io.baton.spi.SessionSpec;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Reply;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A store that is slow, as it has much to do, is not one that is silent: new contacts would give it more to do. */
class SlowStoreTest {

    private static final Line LINE = Line.of("locks/orders");
    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration STEP = Duration.ofMillis(100);

    private final HandLoop loop = new HandLoop();
    private Duration toAttach = Duration.ZERO;
    private int lost = -1;
    private int attaches;
    private int steps;
    private long free = loop.nanoTime();

    private final StepWire wire = (StepWire) Proxy.newProxyInstance(
            StepWire.class.getClassLoader(), new Class<?>[] {StepWire.class}, (own, step, with) -> {
                switch (step.getName()) {
                    case "attach" -> {
                        attaches++;
                        free = loop.nanoTime();
                        answer(toAttach, with[2], new Attached(List.of(), Map.of(), "history", Duration.ZERO));
                    }
                    case "beat" -> answer(Duration.ZERO, with[2], new Beaten(List.of(), Map.of(), Duration.ZERO));
                    case "peers" -> {
                        if (steps++ != lost) {
                            answer(inOrder(), with[1], List.<Peer>of());
                        }
                    }
                    default -> {}
                }
                return null;
            });

    private final Session session = KernelSession.open(
            (id, ttl, client, on, to) -> wire,
            "session",
            new SessionSpec(TTL, "test"),
            Duration.ofSeconds(2),
            loop,
            new NoListener());

    @SuppressWarnings("unchecked")
    private <T> void answer(Duration late, Object reply, T with) {
        loop.after(late, () -> ((Reply<T>) reply).answered(with));
    }

    private Duration inOrder() {
        free = Math.max(free - loop.nanoTime(), 0) + loop.nanoTime() + STEP.toNanos();
        return Duration.ofNanos(free - loop.nanoTime());
    }

    private List<CompletableFuture<List<Peer>>> read(int times) {
        return IntStream.range(0, times)
                .mapToObj(each -> session.peers(LINE).toCompletableFuture())
                .toList();
    }

    @Test
    void attach_slowerThanItsLimit_isGivenMoreTimeTheNextTime() {
        toAttach = Duration.ofSeconds(35);

        loop.pass(Duration.ofSeconds(80));

        assertThat(session.link()).isEqualTo(Link.CONNECTED);
        assertThat(attaches).isEqualTo(3);
    }

    @Test
    void steps_manyBehindEachOther_keepTheContactWhileTheFirstIsAnswered() {
        loop.run();
        List<CompletableFuture<List<Peer>>> reads = read(35);

        loop.pass(STEP.multipliedBy(36));

        assertThat(reads).allSatisfy(read -> assertThat(read).isCompleted());
        assertThat(attaches).isEqualTo(1);
    }

    @Test
    void steps_soManyThatNobodyWaitsForTheLast_beginAnew() {
        loop.run();
        List<CompletableFuture<List<Peer>>> reads = read(100);

        loop.pass(TTL.multipliedBy(2));

        assertThat(attaches).isEqualTo(2);
        assertThat(reads).allSatisfy(read -> assertThat(read).isDone());
        CompletableFuture<List<Peer>> next = session.peers(LINE).toCompletableFuture();
        loop.pass(STEP.multipliedBy(2));
        assertThat(next).isCompleted();
    }

    @Test
    void steps_oneIsNeverAnswered_endTheContactAlthoughThoseBehindItAre() {
        loop.run();
        lost = 2;
        List<CompletableFuture<List<Peer>>> reads = read(35);

        loop.pass(TTL);

        assertThat(attaches).isEqualTo(2);
        assertThat(reads.get(lost)).isCompleted();
    }
}
