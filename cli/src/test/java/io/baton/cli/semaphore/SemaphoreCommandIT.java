package io.baton.cli.semaphore;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.DistributedSemaphore;
import io.baton.PermitHold;
import io.baton.cli.Captured;
import io.baton.cli.TestStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SemaphoreCommandIT {

    private TestStore store;

    @BeforeAll
    void startServer() {
        store = TestStore.zookeeper();
    }

    @AfterAll
    void stopServer() {
        store.close();
    }

    @Test
    void resize_larger_servesWhoWaitsAndTheQueueShowsIt() throws Exception {
        try (Coordinator baton = Coordinator.connect(store.uri("cli"))) {
            DistributedSemaphore uploads = baton.semaphore("uploads", 2);
            try (PermitHold two = uploads.acquire(2)) {
                CompletableFuture<PermitHold> waiting = uploads.acquireAsync(1);
                await().atMost(30, SECONDS)
                        .until(() -> run("queue", "--semaphore", "uploads")
                                        .out()
                                        .lines()
                                        .count()
                                == 5);
                assertThat(run("queue", "--semaphore", "uploads").out())
                        .startsWith("'uploads': 2 of 2 permits are out, one holds it, 1 waits\n")
                        .containsPattern("(?m)^  1  holds  2        " + two.token() + " ");

                Captured grown = run("semaphore", "resize", "uploads", "2", "3");
                assertThat(grown.out()).as(grown.err()).isEqualTo("'uploads': size 3 now, 2 before\n");
                try (PermitHold third = waiting.get(30, SECONDS)) {
                    assertThat(third.permits()).isEqualTo(1);
                    assertThat(run("queue", "--semaphore", "--json", "uploads").out())
                            .startsWith("{\"size\":3,\"out\":3,\"holders\":[{\"position\":1,\"holder\":true,\"token\":"
                                    + two.token() + ",")
                            .endsWith(",\"permits\":1}],\"waiting\":[]}\n");
                    assertThat(run("semaphore", "resize", "uploads", "3", "1").out())
                            .isEqualTo("'uploads': size 1 now, 3 before; 3 permits are out, and none is granted until"
                                    + " they fit\n");
                    assertThat(run("semaphore", "resize", "--json", "uploads", "1", "2")
                                    .out())
                            .isEqualTo("{\"name\":\"uploads\",\"size\":2,\"before\":1,\"out\":3}\n");
                }
            }
        }
    }

    @Test
    void resize_anotherSizeOrNone_changesNothing() throws Exception {
        try (Coordinator baton = Coordinator.connect(store.uri("cli"));
                PermitHold hold = baton.semaphore("other", 4).acquire(1)) {
            Captured other = run("semaphore", "resize", "other", "5", "6");
            assertThat(other.status()).isEqualTo(75);
            assertThat(other.err()).isEqualTo("baton: the size of 'other' is 4, not 5: nothing was changed\n");
            Captured none = run("semaphore", "resize", "othre", "4", "6");
            assertThat(none.status()).isEqualTo(1);
            assertThat(none.err()).contains("'othre' has no size yet").hasLineCount(1);
            assertThat(baton.semaphore("othre", 9).view().size()).isZero();
            Captured nothing = run("semaphore", "resize", "other", "4", "0");
            assertThat(nothing.status()).isEqualTo(64);
            assertThat(nothing.err()).contains("must be at least 1, not 0");
            assertThat(baton.semaphore("other", 4).view().size()).isEqualTo(4);
            assertThat(hold.remaining()).isPositive();
        }
    }

    private Captured run(String verb, String... args) {
        var line = new ArrayList<>(List.of(verb));
        line.addAll(List.of(args));
        line.addAll(List.of("--connect", store.uri("cli")));
        return Captured.run(line.toArray(String[]::new));
    }
}
