package io.baton.spi.kernel;

import static io.baton.spi.kernel.HandKernel.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.HandLoop;
import io.baton.spi.Line;
import io.baton.spi.Link;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Beaten;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that is slow, as it has much to do, is not one that is silent: new contacts would give it more to do. */
class SlowStoreTest {

    private static final Line LINE = Line.of("locks/orders");
    private static final Duration STEP = Duration.ofMillis(100);

    private final HandKernel kernel = new HandKernel(this::called);
    private final HandLoop loop = kernel.loop;
    private Duration toAttach = Duration.ZERO;
    private int lost = -1;
    private int attaches;
    private int steps;
    private long free = loop.nanoTime();

    private void called(String method, Object[] with) {
        switch (method) {
            case "attach" -> {
                attaches++;
                free = loop.nanoTime();
                kernel.answer(toAttach, with[2], new Attached(List.of(), Map.of(), "history", Duration.ZERO));
            }
            case "beat" -> kernel.answer(with[2], new Beaten(List.of(), Map.of(), Duration.ZERO));
            case "peers" -> {
                if (steps++ != lost) {
                    kernel.answer(inOrder(), with[1], List.<Peer>of());
                }
            }
            default -> {}
        }
    }

    @BeforeEach
    void open() {
        kernel.open(new NoListener());
    }

    private Duration inOrder() {
        free = Math.max(free - loop.nanoTime(), 0) + loop.nanoTime() + STEP.toNanos();
        return Duration.ofNanos(free - loop.nanoTime());
    }

    private List<CompletableFuture<List<Peer>>> read(int times) {
        return IntStream.range(0, times)
                .mapToObj(each -> kernel.session.peers(LINE).toCompletableFuture())
                .toList();
    }

    @Test
    void attach_slowerThanItsLimit_isGivenMoreTimeTheNextTime() {
        toAttach = Duration.ofSeconds(35);

        loop.pass(Duration.ofSeconds(80));

        assertThat(kernel.session.link()).isEqualTo(Link.CONNECTED);
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
        CompletableFuture<List<Peer>> next = kernel.session.peers(LINE).toCompletableFuture();
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
