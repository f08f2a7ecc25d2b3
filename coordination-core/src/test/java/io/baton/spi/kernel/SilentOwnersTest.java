package io.baton.spi.kernel;

import static io.baton.spi.kernel.HandKernel.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.StoreUnavailableException;
import io.baton.internal.HandLoop;
import io.baton.spi.Line;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Availability;
import io.baton.spi.kernel.StepWire.Beaten;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store whose clock stands still while nobody looks keeps the entries of the dead: whoever asks looks at it. */
class SilentOwnersTest {

    private static final Line LOCK = Line.of("locks/orders");

    private final HandKernel kernel = new HandKernel(this::called);
    private final HandLoop loop = kernel.loop;
    private final Deque<Availability> answers = new ArrayDeque<>();
    private int beats;

    private void called(String method, Object[] with) {
        switch (method) {
            case "attach" -> kernel.answer(with[2], new Attached(List.of(), Map.of(), "history", Duration.ZERO));
            case "beat" -> {
                beats++;
                kernel.answer(with[2], new Beaten(List.of(), Map.of(), Duration.ZERO));
            }
            case "isFree" -> kernel.answer(with[2], answers.size() > 1 ? answers.remove() : answers.element());
            default -> {}
        }
    }

    @BeforeEach
    void attach() {
        kernel.attach(new NoListener());
    }

    private CompletableFuture<Boolean> asked(Availability... answered) {
        answers.addAll(List.of(answered));
        CompletableFuture<Boolean> free = kernel.session.isFree(LOCK).toCompletableFuture();
        loop.run();
        return free;
    }

    @Test
    void isFree_silentOwnerEnds_isTrueAfterALookASecond() {
        CompletableFuture<Boolean> free = asked(Availability.EXPIRING, Availability.EXPIRING, Availability.FREE);
        assertThat(free).isNotDone();

        loop.pass(Duration.ofSeconds(2));

        assertThat(free).isCompletedWithValue(true);
        assertThat(beats).isGreaterThanOrEqualTo(2);
    }

    @Test
    void isFree_silentOwnerIsBack_isFalse() {
        CompletableFuture<Boolean> free = asked(Availability.EXPIRING, Availability.TAKEN);

        loop.pass(Duration.ofSeconds(1));

        assertThat(free).isCompletedWithValue(false);
    }

    @Test
    void whyNoGrants_whileSilentOwnersAreLookedAtAgain_saysSoOfTheirLineAlone() {
        CompletableFuture<Boolean> free = asked(Availability.EXPIRING, Availability.EXPIRING, Availability.FREE);
        loop.pass(Duration.ofSeconds(1));

        assertThat(kernel.session.whyNoGrants(LOCK))
                .hasValueSatisfying(why -> assertThat(why).contains("silent for longer than their ttl"));
        assertThat(kernel.session.whyNoGrants(Line.of("locks/stock"))).isEmpty();

        loop.pass(Duration.ofSeconds(1));
        assertThat(free).isCompletedWithValue(true);
        assertThat(kernel.session.whyNoGrants(LOCK)).isEmpty();
    }

    @Test
    void isFree_silentOwnerDoesNotEnd_failsAndNeverSaysThatItIsTaken() {
        CompletableFuture<Boolean> free = asked(Availability.EXPIRING);
        loop.pass(TTL.plusSeconds(3));
        assertThat(free).isNotDone();

        loop.pass(Duration.ofSeconds(3));

        assertThat(free)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StoreUnavailableException.class)
                .withMessageContainingAll("locks/orders", "silent for longer than their ttl", "try again");
    }

    /** From the first look on, the store's clock takes a ttl, then comes the look that ends it, and then the next one. */
    @Test
    void isFree_ownerWithTheSameTtlDiedUnseen_isTrueOnceThatHasEnded() {
        CompletableFuture<Boolean> free = asked(Availability.EXPIRING);
        loop.pass(TTL.plusSeconds(2));
        answers.clear();
        answers.add(Availability.FREE);

        loop.pass(Duration.ofSeconds(1));

        assertThat(free).isCompletedWithValue(true);
    }
}
