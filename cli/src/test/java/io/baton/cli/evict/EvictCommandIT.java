package io.baton.cli.evict;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.baton.Coordinator;
import io.baton.Eviction;
import io.baton.Hold;
import io.baton.PermitHold;
import io.baton.cli.BatonProcess;
import io.baton.cli.Captured;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import io.baton.cli.elect.Operator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EvictCommandIT {

    @TempDir
    Path directory;

    private RunFixture fixture;
    private TestStore store;

    @BeforeAll
    void startServer() {
        store = TestStore.zookeeper();
    }

    @AfterAll
    void stopServer() {
        store.close();
    }

    @BeforeEach
    void fixture() {
        fixture = new RunFixture(store, directory);
    }

    @Test
    void evict_commandUnderALock_isEndedAndSaysByWhomAndWhy() throws Exception {
        String work = "echo $BATON_FENCING_TOKEN $$ >>\"$LOG\"; exec sleep 1000";
        try (BatonProcess baton = fixture.lock("nightly", "--", "sh", "-c", work)) {
            String[] logged = fixture.awaitLogged(1).get(0).split(" ");
            Captured evicted = run("nightly", logged[0], "--reason", "it hangs");
            assertThat(evicted.status()).as(evicted.err()).isZero();
            assertThat(evicted.out())
                    .matches("'nightly': evicted baton lock@\\S+ \\(\\d+\\) with token " + logged[0] + ", a holder\n");
            assertThat(baton.status()).isEqualTo(79);
            assertThat(baton.err())
                    .isEqualTo("baton: 'nightly' was evicted by " + Operator.currentUser()
                            + " (it hangs) while the command ran; the command has been ended\n");
            RunFixture.awaitGone(logged[1]);

            Captured again = run("nightly", logged[0], "--reason", "it hangs");
            assertThat(again.status()).isEqualTo(1);
            assertThat(again.err())
                    .isEqualTo("baton: no contender of 'nightly' has token " + logged[0]
                            + ", so nothing was removed: it is gone already, or 'baton queue nightly' shows another"
                            + " token\n");
        }
    }

    @Test
    void evict_readersAndPermits_removesTheOneWithThisTokenOnly() throws Exception {
        try (Coordinator baton = fixture.connect();
                Hold reader = baton.readWriteLock("prices").read().acquire();
                Hold other = baton.readWriteLock("prices").read().acquire();
                PermitHold two = baton.semaphore("uploads", 2).acquire(2)) {
            Captured evicted = run("prices", token(reader), "--read-write", "--json", "--reason", "moved");
            JsonNode gone = new ObjectMapper().readTree(evicted.out());
            assertThat(gone.at("/name").asText()).isEqualTo("prices");
            assertThat(gone.at("/token").asLong()).isEqualTo(reader.token());
            assertThat(gone.at("/holder").asBoolean()).isTrue();
            assertThat(baton.readWriteLock("prices").queue())
                    .extracting(entry -> entry.token())
                    .containsExactly(other.token());

            CompletableFuture<PermitHold> next = baton.semaphore("uploads", 2).acquireAsync(1);
            assertThat(run("uploads", token(two), "--semaphore", "--reason", "moved")
                            .status())
                    .isZero();
            try (PermitHold granted = next.get(30, TimeUnit.SECONDS)) {
                assertThat(granted.permits()).isEqualTo(1);
            }
            assertThat(baton.semaphore("uploads", 2).lastEviction().map(Eviction::reason))
                    .contains("moved");
        }
    }

    @Test
    void evict_entryOfAnotherProgram_isRemoved() throws Exception {
        try (Coordinator baton = fixture.connect();
                AutoCloseable foreign = store.stand("/cli/locks/stray", "")) {
            assertThat(foreign).isNotNull();
            long stray = baton.lock("stray").queue().get(0).token();
            assertThat(run("stray", Long.toString(stray), "--reason", "left behind")
                            .out())
                    .isEqualTo("'stray': evicted (foreign) with token " + stray + ", a holder\n");
            try (Hold hold = baton.lock("stray").tryAcquire().orElseThrow()) {
                assertThat(hold.remaining()).isPositive();
            }
        }
    }

    private static String token(Hold hold) {
        return Long.toString(hold.token());
    }

    private Captured run(String... args) {
        var line = new ArrayList<>(List.of("evict", "--connect", fixture.uri()));
        line.addAll(List.of(args));
        return Captured.run(line.toArray(String[]::new));
    }
}
