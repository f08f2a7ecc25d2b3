package io.baton.cli.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.cli.BatonProcess;
import io.baton.cli.Exit;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockCommandIT {

    @TempDir
    Path directory;

    RunFixture fixture;
    TestStore store;

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
    }

    /** Where no such server is. */
    String nowhere() {
        return "zk://127.0.0.1:1/app";
    }

    @BeforeAll
    void startServer() {
        store = start();
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
    @Tag("long")
    void lock_manyShellsTwiceEach_runOneAtATimeInTheOrderOfTheirEntries() throws Exception {
        int shells = 10;
        int runs = 2;
        String work =
                "echo \"start $BATON_FENCING_TOKEN\" >>\"$LOG\"; sleep 0.02; echo \"end $BATON_FENCING_TOKEN\" >>\"$LOG\"";
        ExecutorService pool = Executors.newFixedThreadPool(shells);
        try {
            Callable<Void> shell = () -> {
                for (int run = 0; run < runs; run++) {
                    try (BatonProcess baton =
                            fixture.lockPolitely("--ttl", "30s", "--timeout", "5m", "ten", "--", "sh", "-c", work)) {
                        // Polite processes get little of a busy machine.
                        assertThat(baton.statusWithin(300)).as(baton.err()).isZero();
                    }
                }
                return null;
            };
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < shells; i++) {
                all.add(pool.submit(shell));
            }
            for (Future<Void> one : all) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
        List<String> log = fixture.logged();
        assertThat(log).hasSize(2 * shells * runs);
        long last = 0;
        for (int i = 0; i < log.size(); i += 2) {
            String token = log.get(i).substring("start ".length());
            assertThat(log.get(i)).startsWith("start ");
            assertThat(log.get(i + 1)).as("nobody between start and end").isEqualTo("end " + token);
            // The token tells which change of the store created the entry: in its order means in the order of creation.
            assertThat(Long.parseLong(token)).isGreaterThan(last);
            last = Long.parseLong(token);
        }
    }

    @Test
    void lock_taken_isNotAcquired() throws Exception {
        try (Coordinator other = fixture.connect();
                var hold = other.lock("taken").acquire();
                BatonProcess once = fixture.lock("--try", "taken", "--", "echo", "ran");
                BatonProcess limited = fixture.lock("--timeout", "15s", "taken", "--", "echo", "ran")) {
            assertThat(once.status()).isEqualTo(75);
            assertThat(once.err()).isEqualTo("baton: 'taken' is taken, and --try does not wait\n");
            assertThat(limited.status()).isEqualTo(75);
            assertThat(limited.err()).isEqualTo("baton: gave up after 15s: 'taken' is taken\n");
            assertThat(once.out() + limited.out()).isEmpty();
            assertThat(hold.remaining()).isPositive();
        }
    }

    @Test
    void lock_atAPath_excludesWhoHoldsThere() throws Exception {
        try (Coordinator other = fixture.connect()) {
            try (var hold = other.lockAt("/legacy/orders", Dialect.BATON).acquire();
                    BatonProcess once = fixture.lock("--at", "/legacy/orders", "--try", "orders", "--", "true")) {
                assertThat(once.status()).as(once.err()).isEqualTo(75);
                assertThat(hold.remaining()).isPositive();
            }
            try (BatonProcess free =
                    fixture.lock("--at", "/legacy/orders", "orders", "--", "sh", "-c", "echo $BATON_NAME")) {
                assertThat(free.status()).as(free.err()).isZero();
                assertThat(free.out()).isEqualTo("orders\n");
            }
        }
    }

    @Test
    void lock_restsOrHasOtherOptions_saysSo() throws InterruptedException {
        try (BatonProcess first = fixture.lock("--hold-at-least", "1h", "rests", "--", "true")) {
            assertThat(first.status()).as(first.err()).isZero();
        }
        try (BatonProcess once = fixture.lock("--try", "--hold-at-least", "1h", "rests", "--", "echo", "ran");
                BatonProcess other = fixture.lock("--hold-at-least", "2h", "rests", "--", "echo", "ran")) {
            assertThat(once.status()).isEqualTo(75);
            assertThat(once.err())
                    .matches("baton: 'rests' stays blocked for another \\d+m\\d\\ds \\(--hold-at-least 3600s\\),"
                            + " and --try does not wait\n");
            assertThat(other.status()).isEqualTo(64);
            assertThat(other.err()).contains("holdAtLeast 3600 s").hasLineCount(1);
            assertThat(once.out() + other.out()).isEmpty();
        }
    }

    @Test
    void lock_storeNotReachable_namesTheAddress() throws InterruptedException {
        try (BatonProcess baton =
                fixture.lock("--connect", nowhere(), "--timeout", "500ms", "x", "--", "echo", "ran")) {
            assertThat(baton.status()).isEqualTo(69);
            assertThat(baton.err())
                    .startsWith("baton: ")
                    .contains("127.0.0.1:1")
                    .hasLineCount(1);
            assertThat(baton.out()).isEmpty();
        }
    }

    @Test
    void lock_ttlTooShort_runsAndSaysWhatTheStoreGrants() throws InterruptedException {
        try (BatonProcess baton = fixture.lock("--ttl", "100ms", "x", "--", "echo", "ran")) {
            // Such a short hold may be lost on a busy machine before the command has ended.
            assertThat(baton.status()).as(baton.err()).isIn(0, Exit.LOST);
            assertThat(baton.err().lines().findFirst().orElseThrow())
                    .startsWith("baton: the store grants a ttl of ")
                    .contains("not 100ms");
            if (baton.status() == 0) {
                assertThat(baton.out()).isEqualTo("ran\n");
            }
            // Nor does the place in line last on such a machine, which is told as well.
            assertThat(baton.err().lines().filter(line -> line.contains("grants a ttl")))
                    .hasSize(1);
        }
    }

    @Test
    void lock_sigtermWhileWaiting_leavesTheLine() throws Exception {
        try (Coordinator other = fixture.connect();
                var hold = other.lock("leave").acquire();
                BatonProcess baton = fixture.lock("leave", "--", "echo", "ran")) {
            await().atMost(30, SECONDS).until(() -> other.lock("leave").queue().size() == 2);
            baton.signal("TERM");
            assertThat(baton.status()).isEqualTo(143);
            assertThat(baton.out() + baton.err()).isEmpty();
            assertThat(other.lock("leave").queue()).hasSize(1);
            assertThat(hold.remaining()).isPositive();
        }
    }
}
