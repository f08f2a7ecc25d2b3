package io.baton.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.PlaceOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

class AcquirableTest {

    private Coordinator baton;

    @BeforeEach
    void connect(TestInfo test) throws InterruptedException {
        baton = Coordinator.connect("mem:" + test.getDisplayName());
    }

    @AfterEach
    void close() {
        baton.close();
    }

    @Test
    void shared_twice_holdsTogetherAndExcludesTheExclusive() throws InterruptedException {
        ClaimOptions shared = new ClaimOptions();
        shared.shared = true;
        ClaimOptions exclusive = new ClaimOptions();
        exclusive.exclusive = true;
        try (Held first = wanted(shared).acquire();
                Held second = wanted(shared).acquire()) {
            assertThat(first.token()).isNotEqualTo(second.token());
            assertThat(first.name()).isEqualTo("x");
            Acquirable alone = wanted(exclusive);
            assertThat(alone.tryAcquire(Duration.ZERO)).isEmpty();
            assertThat(alone.obstacle()).isEqualTo("'x' is taken");
            try (Held other = wanted(new ClaimOptions()).acquire()) {
                assertThat(other.remaining()).isPositive();
            }
        }
        try (Held alone = wanted(exclusive).acquire()) {
            assertThat(wanted(shared).tryAcquire(Duration.ZERO)).isEmpty();
            assertThat(alone.remaining()).isPositive();
        }
    }

    @Test
    void permits_asManyAsThereAre_leaveNone() throws InterruptedException {
        try (Held two = wanted(permits(2, 3)).acquire();
                Held one = wanted(permits(1, 3)).acquire()) {
            assertThat(two.remaining()).isPositive();
            assertThat(one.remaining()).isPositive();
            assertThat(wanted(permits(1, 3)).tryAcquire(Duration.ZERO)).isEmpty();
            assertThat(wanted(permits(1, 3)).obstacle()).isEqualTo("1 permit of 'x' is not free");
            assertThat(wanted(permits(2, 3)).obstacle()).isEqualTo("2 permits of 'x' are not free");
        }
    }

    @Test
    void permits_ofAnotherSize_saysWhatToDo() throws InterruptedException {
        wanted(permits(1, 3)).acquire().close();
        assertThatThrownBy(() -> wanted(permits(1, 5)).tryAcquire(Duration.ZERO))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.USAGE))
                .hasMessage("the size of the semaphore 'x' is 3, not 5: give --of 3, or change its size with"
                        + " 'baton semaphore resize x 3 5'");
    }

    @Test
    void permits_recordThatIsNoSize_isTheStoresRefusal() throws InterruptedException {
        baton.records("baton.semaphores").put("x", "five");
        assertThatThrownBy(() -> wanted(permits(1, 5)).acquire())
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("size=N");
    }

    @Test
    void holdAtLeast_entryIsKept_isTaken() throws InterruptedException {
        wanted(anHour()).acquire().close();

        Acquirable lock = wanted(anHour());
        assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(lock.obstacle()).isEqualTo("'x' is taken");
    }

    @Test
    void holdAtLeast_holderHasEnded_restsAndSaysForHowLong(TestInfo test) throws InterruptedException {
        try (Coordinator ended = Coordinator.connect("mem:" + test.getDisplayName())) {
            anHour().wanted(ended, List.of("x"), new PlaceOption()).acquire().close();
        }

        Acquirable lock = wanted(anHour());
        assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(lock.obstacle())
                .matches("'x' stays blocked for another (1h00m|59m\\d\\ds) \\(--hold-at-least 3600s\\)");
    }

    @Test
    void delayAfterLoss_holderIsEvicted_restsAndSaysForHowLong() throws InterruptedException {
        ClaimOptions afterLoss = new ClaimOptions();
        afterLoss.delayAfterLoss = Duration.ofHours(1);
        Held lost = wanted(afterLoss).acquire();
        var lock = baton.lock("x");
        assertThat(lock.evict(lock.queue().get(0), "it hangs")).isTrue();

        Acquirable next = wanted(afterLoss);
        assertThat(next.tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(next.obstacle())
                .matches("'x' stays blocked for another (1h00m|59m\\d\\ds)"
                        + " \\(its last holder did not release it, --delay-after-loss 3600s\\)");
        lost.close();
    }

    @Test
    void holdAtLeast_ofAnotherLength_isBadUsage() throws InterruptedException {
        wanted(anHour()).acquire().close();
        ClaimOptions twoHours = new ClaimOptions();
        twoHours.holdAtLeast = Duration.ofHours(2);
        assertThatThrownBy(() -> wanted(twoHours).acquire())
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.USAGE))
                .hasMessageContaining("holdAtLeast 3600 s")
                .hasMessageContaining("7200 s")
                .hasMessageContaining("delete the record locks/x of baton.delays");
    }

    private static ClaimOptions anHour() {
        ClaimOptions claim = new ClaimOptions();
        claim.holdAtLeast = Duration.ofHours(1);
        return claim;
    }

    private Acquirable wanted(ClaimOptions claim) {
        return claim.wanted(baton, List.of("x"), new PlaceOption());
    }

    private static ClaimOptions permits(int permits, int of) {
        ClaimOptions claim = new ClaimOptions();
        claim.permits = permits;
        claim.of = of;
        return claim;
    }
}
