package io.baton.cli.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Released;
import io.baton.Released.Outcome;
import io.baton.Subscription;
import io.baton.cli.StuckStderr;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestedReleaseTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final List<String> NAMES = List.of("orders", "stock");

    private Coordinator baton;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = Coordinator.connect(
                "mem:requested-release",
                CoordinatorOptions.builder().client("ops").build());
    }

    @AfterEach
    void close() {
        baton.close();
    }

    @Test
    void release_requested_recallsTheCommandAndNamesTheLock() throws Exception {
        CompletableFuture<Released> outcome;
        try (Held held = acquire();
                RequestedRelease mandate = new RequestedRelease(held, OnReleaseRequest.release)) {
            var recalled = new CountDownLatch(1);
            assertThat(mandate.recall()).isEmpty();
            try (Subscription listening = mandate.onChange(() -> {
                if (mandate.recall().isPresent()) {
                    recalled.countDown();
                }
            })) {
                assertThat(listening).isNotNull();
                outcome = baton.lock("stock").requestRelease("noon", LONG);
                assertThat(recalled.await(30, SECONDS)).isTrue();
            }
            assertThat(mandate.recall()).contains("released on request of ops (noon)");
            assertThat(mandate.name()).isEqualTo("stock");
            assertThat(mandate.remaining()).isPositive();
        }
        assertThat(outcome.get(30, SECONDS).outcome()).isEqualTo(Outcome.RELEASED);
    }

    @Test
    void refuse_requested_answersAndGoesOn() throws Exception {
        try (Held held = acquire();
                RequestedRelease mandate = new RequestedRelease(held, OnReleaseRequest.refuse)) {
            Released released = baton.lock("stock").requestRelease("noon", LONG).get(30, SECONDS);
            assertThat(released)
                    .isEqualTo(new Released(Outcome.REFUSED, "it runs a command with --on-release-request refuse"));
            assertThat(mandate.recall()).isEmpty();
            assertThat(mandate.remaining()).isPositive();
        }
    }

    /** As with a pipe that is full, or a terminal that was stopped. */
    @Test
    void refuse_nobodyReadsStderr_answersAllTheSame() throws Exception {
        try (StuckStderr stuck = StuckStderr.begin();
                Held held = acquire();
                RequestedRelease mandate = new RequestedRelease(held, OnReleaseRequest.refuse)) {
            assertThat(stuck).isNotNull();
            Released released = baton.lock("stock").requestRelease("noon", LONG).get(30, SECONDS);
            assertThat(released.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(mandate.remaining()).isPositive();
        }
    }

    @Test
    void noAnswer_requested_leavesTheRequestUnanswered() throws Exception {
        try (Held held = acquire();
                RequestedRelease mandate = new RequestedRelease(held, null)) {
            Released released = baton.lock("stock")
                    .requestRelease("noon", Duration.ofMillis(300))
                    .get(30, SECONDS);
            assertThat(released.outcome()).isEqualTo(Outcome.UNANSWERED);
            assertThat(mandate.recall()).isEmpty();
        }
    }

    private Held acquire() throws InterruptedException {
        return Acquirable.all(
                        NAMES,
                        baton.multiLock(NAMES),
                        new EvictionLookup(baton, name -> baton.lock(name).lastEviction()))
                .acquire();
    }
}
