package io.baton.cli.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.QueueEntry;
import io.baton.Released;
import io.baton.cli.BatonProcess;
import io.baton.cli.Processes;
import io.baton.cli.Rounds;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import io.baton.testkit.server.Freezer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The command does not outlive its hold when baton cannot see to that, and nothing stays behind. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WatchdogIT {

    /**
     * Writes what the clock says, in a process of its own, until it is ended; SIGTERM does not do that. That process
     * waits by reading what nothing is ever written to: a process for each tick would cost more than all the rest.
     */
    private static final String STUBBORN = "trap '' TERM; echo $$ >>\"$LOG\";"
            + " bash -c 'exec 9<> <(:); while :; do read -r now idle </proc/uptime; echo \"tick $now\" >>\"$LOG\";"
            + " read -rt 0.02 <&9; done' & wait";

    private static final String WORK = STUBBORN.replace("trap '' TERM; ", "");

    @TempDir
    Path directory;

    RunFixture fixture;
    private TestStore store;

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
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

    @AfterEach
    void nothingStays() throws IOException {
        try {
            fixture.awaitNothingRuns();
        } finally {
            fixture.commands().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        }
        try (var left = Files.list(directory)) {
            assertThat(left.filter(Files::isDirectory))
                    .as("temporary directories")
                    .isEmpty();
        }
    }

    @Rounds(daily = 1, all = 3)
    void lock_batonKilled_endsTheCommandBeforeTheNextIsGranted() throws Exception {
        try (BatonProcess baton = fixture.lock("--ttl", "5s", "killed", "--", "sh", "-c", STUBBORN)) {
            fixture.awaitLogged(3);
            baton.signal("KILL");
            assertEndedBeforeTheNextGrant("killed");
            assertThat(baton.status()).isEqualTo(137);
        }
    }

    /** As whatever {@code timeout} and the job control of shells start. */
    @Test
    void lock_batonKilledAndTheCommandHasAnotherProcessGroup_isEndedBeforeTheNextIsGranted() throws Exception {
        String group = "timeout 100 sh -c \"$0\"; true";
        try (BatonProcess baton = fixture.lock("--ttl", "5s", "group", "--", "sh", "-c", group, STUBBORN)) {
            fixture.awaitLogged(3);
            baton.signal("KILL");
            assertEndedBeforeTheNextGrant("group");
        }
    }

    /** The inner baton's command has a session of its own, and a longer grace. */
    @Test
    void lock_batonKilledWhoseCommandIsABaton_innerCommandIsEndedBeforeTheNextIsGranted() throws Exception {
        List<String> inner = BatonProcess.line(
                directory, List.of("lock", "--ttl", "60s", "--grace", "20s", "inner", "--", "sh", "-c", STUBBORN));
        var outer = new ArrayList<>(List.of("--ttl", "5s", "--grace", "500ms", "outer", "--"));
        outer.addAll(inner);
        try (BatonProcess baton = fixture.lock(outer.toArray(String[]::new))) {
            fixture.awaitLogged(3);
            baton.signal("KILL");
            assertEndedBeforeTheNextGrant("outer");
        }
    }

    @Test
    void lock_batonKilled_asksTheCommandFirst() throws Exception {
        String polite = "trap 'echo term >>\"$LOG\"; kill $!; exit 3' TERM; sleep 1000 & echo $$ >>\"$LOG\"; wait";
        Path status = directory.resolve("status");
        try (BatonProcess baton =
                fixture.lock("--ttl", "30s", "--status-file", status.toString(), "asked", "--", "sh", "-c", polite)) {
            fixture.awaitLogged(1);
            baton.signal("KILL");
            assertThat(fixture.awaitLogged(2)).endsWith("term");
            fixture.awaitNothingRuns();
            assertThat(status).content().startsWith("verdict=baton-died\nstatus=\ncommand=3\ntoken=");
            // The shell of the command may have its own word on what the signal ended.
            assertThat(baton.err().lines().filter(line -> line.startsWith("baton: ")))
                    .containsExactly("baton: baton itself has ended: the command is being ended");
        }
    }

    @Test
    @Tag("long")
    void lock_batonKilledWhileWaiting_saysSoInTheStatusFile() throws Exception {
        Path status = directory.resolve("status");
        try (Coordinator other = fixture.connect();
                Hold hold = other.lock("wait").acquire();
                BatonProcess baton = fixture.lock("--status-file", status.toString(), "wait", "--", "sh", "-c", WORK)) {
            await().atMost(60, SECONDS).until(() -> other.lock("wait").queue().size() == 2);
            baton.signal("KILL");
            fixture.awaitNothingRuns();
            assertThat(status).content().startsWith("verdict=baton-died\nstatus=\ncommand=\ntoken=\n");
            assertThat(hold.remaining()).isPositive();
        }
    }

    @Rounds(daily = 1, all = 3)
    void lock_batonFrozen_endsTheCommandBeforeTheNextIsGranted() throws Exception {
        try (BatonProcess baton =
                fixture.lock("--ttl", "3s", "--grace", "500ms", "frozen", "--", "sh", "-c", STUBBORN)) {
            fixture.awaitLogged(3);
            baton.signal("STOP");
            assertEndedBeforeTheNextGrant("frozen");
            baton.signal("CONT");
            assertThat(baton.status()).isEqualTo(79);
            assertThat(baton.err()).startsWith("baton: 'frozen' was lost").hasLineCount(1);
        }
    }

    @Test
    @Tag("long")
    void lock_ctrlZ_endsTheCommandBeforeTheNextIsGranted() throws Exception {
        try (BatonProcess shell = fixture.lockAsJob("--ttl", "3s", "ctrl-z", "--", "sh", "-c", STUBBORN)) {
            fixture.awaitLogged(3);
            String group = "-" + Files.readString(directory.resolve("job")).strip();
            BatonProcess.signal("TSTP", group);
            assertEndedBeforeTheNextGrant("ctrl-z");
            BatonProcess.signal("CONT", group);
            assertThat(shell.status()).isEqualTo(79);
        }
    }

    @Test
    @Tag("long")
    void lock_batonFrozenForAMoment_commandRunsOn() throws Exception {
        String work = "echo $$ >>\"$LOG\"; while [ ! -e \"$LOG.stop\" ]; do sleep 0.05; done; exit 4";
        try (BatonProcess baton = fixture.lock("--ttl", "20s", "--grace", "1s", "blink", "--", "sh", "-c", work)) {
            fixture.awaitLogged(1);
            baton.signal("STOP");
            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            baton.signal("CONT");
            Files.createFile(directory.resolve("log.stop"));
            assertThat(baton.status()).isEqualTo(4);
            assertThat(baton.err()).isEmpty();
        }
    }

    @Test
    void lock_commandRunsForManyTimeouts_runsToItsEnd() throws Exception {
        try (BatonProcess baton = fixture.lock("--ttl", "5s", "long", "--", "sh", "-c", "sleep 12; exit 5")) {
            assertThat(baton.status()).as(baton.err()).isEqualTo(5);
            assertThat(baton.err()).isEmpty();
        }
    }

    @Test
    void lock_watchdogKilled_endsTheCommandBeforeTheRelease() throws Exception {
        try (BatonProcess baton = fixture.lock("--ttl", "20s", "--grace", "1s", "alone", "--", "sh", "-c", STUBBORN);
                Coordinator other = fixture.connect()) {
            long child = Long.parseLong(fixture.awaitLogged(1).get(0));
            long watchdog = ProcessHandle.of(child)
                    .flatMap(ProcessHandle::parent)
                    .orElseThrow()
                    .pid();
            BatonProcess.signal("KILL", Long.toString(watchdog));
            try (Hold next = other.lock("alone").acquire()) {
                assertThat(fixture.commands()).isEmpty();
                assertThat(next.remaining()).isPositive();
            }
            assertThat(baton.status()).isEqualTo(71);
            assertThat(baton.err()).startsWith("baton: the watchdog was killed").hasLineCount(1);
        }
    }

    @Test
    void lock_watchdogFrozenAndContactLost_endsTheCommandAllTheSame() throws Exception {
        try (TestStore own = start()) {
            fixture = new RunFixture(own, directory);
            try (BatonProcess baton = fixture.lock("--ttl", "2s", "stuck", "--", "sh", "-c", STUBBORN)) {
                long child = Long.parseLong(fixture.awaitLogged(1).get(0));
                long watchdog = ProcessHandle.of(child)
                        .flatMap(ProcessHandle::parent)
                        .orElseThrow()
                        .pid();
                BatonProcess.signal("STOP", Long.toString(watchdog));
                own.stop();
                assertThat(baton.status()).isEqualTo(71);
                assertThat(fixture.commands()).isEmpty();
            }
        }
    }

    @Rounds(daily = 1, all = 10)
    void lock_batonKilledAtAnyMoment_noCommandRunsWhenTheNextIsGranted() throws Exception {
        killedAtSomeMoment(false);
    }

    @Rounds(daily = 1, all = 10)
    void lock_watchdogKilledAtAnyMoment_noCommandRunsWhenTheNextIsGranted() throws Exception {
        killedAtSomeMoment(true);
    }

    /** The moments lie around that in which the command is started. */
    private void killedAtSomeMoment(boolean theWatchdog) throws Exception {
        long seed = System.nanoTime();
        long delay = new Random(seed).nextLong(Duration.ofMillis(60).toNanos());
        // Only the entry of a baton that was killed stays for this long; a busy machine must not take it from one that
        // lives.
        String ttl = theWatchdog ? "20s" : "4s";
        try (BatonProcess baton = fixture.lock("--ttl", ttl, "any", "--", "sh", "-c", WORK);
                Coordinator other = fixture.connect()) {
            await().pollInterval(Duration.ofMillis(1))
                    .atMost(150, SECONDS)
                    .failFast(() -> assertThat(baton.alive())
                            .as("baton ended: %s", baton.err())
                            .isTrue())
                    .untilAsserted(() -> assertThat(other.lock("any").queue())
                            .as("the line; baton says: %s", baton.err())
                            .hasSize(1));
            LockSupport.parkNanos(delay);
            if (theWatchdog) {
                long watchdog =
                        baton.handle().children().findAny().orElseThrow().pid();
                BatonProcess.signal("KILL", Long.toString(watchdog));
            } else {
                baton.signal("KILL");
            }
            try (Hold next = other.lock("any").acquire()) {
                assertThat(fixture.commands())
                        .as("killed %d ns after the entry stood", delay)
                        .isEmpty();
                assertThat(next.remaining()).isPositive();
            }
            assertThat(baton.status()).isEqualTo(theWatchdog ? 71 : 137);
        }
    }

    @Test
    void lock_whatTheCommandStartedCannotBeEnded_isNotReleasedBeforeItsEnd(@TempDir Path path) throws Exception {
        try (BatonProcess baton = powerless(path, "request", "--on-release-request", "release");
                Coordinator other = fixture.connect()) {
            fixture.awaitLogged(3);
            var released = other.lock("request").requestRelease("noon", Duration.ofMinutes(2));
            awaitSaid(baton, "cannot end process ");
            assertThat(released).isNotDone();
            assertThat(other.lock("request").queue()).hasSize(1);

            endSurvivor();
            assertThat(baton.status()).isEqualTo(79);
            assertThat(released.get(60, SECONDS).outcome()).isEqualTo(Released.Outcome.RELEASED);
        }
    }

    @Test
    void lock_watchdogKilledAndTheCommandCannotBeEnded_isNotReleasedBeforeItsEnd(@TempDir Path path) throws Exception {
        try (BatonProcess baton = powerless(path, "unguarded");
                Coordinator other = fixture.connect()) {
            fixture.awaitLogged(3);
            long watchdog = baton.handle().children().findAny().orElseThrow().pid();
            BatonProcess.signal("KILL", Long.toString(watchdog));
            awaitSaid(baton, "cannot end process ");
            assertThat(other.lock("unguarded").queue()).hasSize(1);

            endSurvivor();
            assertThat(baton.status()).isEqualTo(71);
            assertThat(other.lock("unguarded").queue()).isEmpty();
        }
    }

    /** As with a process that waits for a device for a while. */
    @Test
    void lock_watchdogKilledAndTheCommandCannotBeEndedForAWhile_isKilledAgain(@TempDir Path path) throws Exception {
        try (BatonProcess baton = powerless(path, "again")) {
            fixture.awaitLogged(3);
            long watchdog = baton.handle().children().findAny().orElseThrow().pid();
            BatonProcess.signal("KILL", Long.toString(watchdog));
            awaitSaid(baton, "cannot end process ");

            Files.delete(path.resolve("sh"));
            assertThat(baton.status()).isEqualTo(71);
            assertThat(fixture.commands()).isEmpty();
        }
    }

    @Test
    void lock_watchdogFrozenBesideWhatCannotBeEnded_isReleasedAfterItsEnd(@TempDir Path path) throws Exception {
        try (BatonProcess baton = powerless(path, "frozen", "--on-release-request", "release");
                Coordinator other = fixture.connect()) {
            fixture.awaitLogged(3);
            // Later there may be the shell that sends signals as well.
            long watchdog = baton.handle().children().findAny().orElseThrow().pid();
            var released = other.lock("frozen").requestRelease("noon", Duration.ofMinutes(2));
            awaitSaid(baton, "cannot end process ");
            Freezer frozen = Freezer.freeze(watchdog);
            try {
                assertThat(released).isNotDone();

                endSurvivor();
                assertThat(baton.status()).as(baton.err()).isEqualTo(71);
            } finally {
                frozen.end();
            }
            assertThat(released.get(60, SECONDS).outcome()).isEqualTo(Released.Outcome.RELEASED);
        }
    }

    @Test
    void lock_evictedAndTheCommandCannotBeEnded_saysThatItMayRun(@TempDir Path path) throws Exception {
        try (BatonProcess baton = powerless(path, "evicted");
                Coordinator other = fixture.connect()) {
            fixture.awaitLogged(3);
            QueueEntry holder = other.lock("evicted").queue().get(0);
            assertThat(other.lock("evicted").evict(holder, "hangs")).isTrue();
            assertThat(baton.status()).isEqualTo(79);
            assertThat(baton.err()).contains("'evicted' was evicted").contains("may still be running");
            endSurvivor();
        }
    }

    /**
     * A baton whose signals reach nothing, as if its command had started a process of another user: the shell that
     * sends them does nothing, and what the command has started lacks the mark.
     */
    private BatonProcess powerless(Path path, String name, String... options) throws IOException {
        Path shell = Files.writeString(
                path.resolve("sh"),
                "#!/bin/sh\ncase \"$2\" in *'while read'*) while read -r order; do echo sent; done;; esac\n");
        assertThat(shell.toFile().setExecutable(true)).isTrue();
        var line = new ArrayList<>(List.of("lock", "--ttl", "30s", "--grace", "500ms"));
        line.addAll(List.of(options));
        line.addAll(List.of(name, "--", "/bin/sh", "-c", "env -u BATON_WATCHDOG /bin/sh -c \"$0\" & wait", STUBBORN));
        return BatonProcess.start(
                directory,
                Map.of(
                        "PATH",
                        path + ":" + System.getenv("PATH"),
                        "BATON_CONNECT",
                        fixture.uri(),
                        "LOG",
                        directory.resolve("log").toString()),
                line);
    }

    private static void awaitSaid(BatonProcess baton, String text) {
        await().atMost(60, SECONDS).until(() -> baton.err().contains(text) || !baton.alive());
        assertThat(baton.alive()).as(baton.err()).isTrue();
    }

    private void endSurvivor() {
        ProcessHandle survivor =
                ProcessHandle.of(Long.parseLong(fixture.logged().get(0))).orElseThrow();
        survivor.descendants().forEach(ProcessHandle::destroyForcibly);
        assertThat(survivor.destroyForcibly()).isTrue();
    }

    private void assertEndedBeforeTheNextGrant(String name) throws Exception {
        try (Coordinator other = fixture.connect();
                Hold next = other.lock(name).acquire()) {
            double granted = uptime();
            assertThat(fixture.commands())
                    .as("commands when the next was granted")
                    .isEmpty();
            List<String> log = fixture.logged();
            double last = Double.parseDouble(log.get(log.size() - 1).substring("tick ".length()));
            assertThat(last).as("the last tick").isLessThan(granted);
            assertThat(next.remaining()).isPositive();
        }
        assertThat(Processes.running(Long.parseLong(fixture.logged().get(0)))).isFalse();
    }

    private static double uptime() throws IOException {
        return Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ", -1)[0]);
    }
}
