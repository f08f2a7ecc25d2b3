package io.baton.cli.elect;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.cli.BatonProcess;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ElectCommandIT {

    /** Says its term, and runs until it is ended. */
    private static final String WORK = "echo $BATON_FENCING_TOKEN >>\"$LOG\"; while :; do sleep 0.05; done";

    private static final String POLITE = "trap 'echo term >>\"$LOG\"; exit 3' TERM; " + WORK;
    private static final String STUBBORN = "trap '' TERM; " + WORK;
    private static final String UNTIL_TOLD =
            "echo $BATON_FENCING_TOKEN >>\"$LOG\"; while [ ! -e \"$LOG.stop\" ]; do sleep 0.05; done; exit 4";

    @TempDir
    Path directory;

    private RunFixture fixture;
    private TestStore store;

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
    }

    /** Whose names the entries on a path that is shared have. */
    Dialect shared() {
        return Dialect.CURATOR_LATCH;
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
    void nothingStays() {
        fixture.awaitNothingRuns();
    }

    @Test
    void elect_commandEnds_exitStatusAndStreamsAreItsOwn() throws Exception {
        String work = "echo \"$BATON_NAME $BATON_FENCING_TOKEN\"; echo oops >&2; exit 7";
        try (BatonProcess baton = fixture.elect("own", "--", "sh", "-c", work)) {
            assertThat(baton.status()).isEqualTo(7);
            assertThat(baton.out()).matches("own \\d+\n");
            assertThat(baton.err()).isEqualTo("oops\n");
        }
    }

    @Test
    void elect_twoStand_theSecondLeadsOnceTheCommandOfTheFirstHasEnded() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                LeaderObserver observer = LeaderElection.named(other, "two").observe();
                BatonProcess first = fixture.elect(
                        "--id", "a", "--advertise", "h:1", "--meta", "zone=x", "two", "--", "sh", "-c", UNTIL_TOLD)) {
            long term = term(1);
            assertThat(observer.awaitLeader()).isEqualTo(new Leader("a", "h:1", Map.of("zone", "x"), term, 0));
            try (BatonProcess second = fixture.elect("two", "--", "sh", "-c", UNTIL_TOLD)) {
                awaitStanding(other, "two", 2);
                assertThat(fixture.logged()).hasSize(1);
                Files.createFile(directory.resolve("log.stop"));
                assertThat(first.status()).as(first.err()).isEqualTo(4);
                assertThat(second.status()).as(second.err()).isEqualTo(4);
                assertThat(term(2)).isGreaterThan(term);
                assertThat(first.err() + second.err()).isEmpty();
            }
            awaitStanding(other, "two", 0);
        }
    }

    @Test
    void elect_batonKilled_theCommandEndsBeforeTheNextLeads() throws Exception {
        try (BatonProcess baton = fixture.elect("--ttl", "3s", "killed", "--", "sh", "-c", STUBBORN);
                Coordinator other = Coordinator.connect(fixture.uri())) {
            long term = term(1);
            baton.signal("KILL");
            assertThat(nextLeader(other, "killed")).as("commands").isEmpty();
            assertThat(nextTerm).isGreaterThan(term);
            assertThat(baton.status()).isEqualTo(137);
        }
    }

    @Test
    void elect_batonFrozen_theCommandEndsBeforeTheNextLeadsAndTheLossIsTold() throws Exception {
        try (BatonProcess baton = fixture.elect("--ttl", "3s", "frozen", "--", "sh", "-c", STUBBORN);
                Coordinator other = Coordinator.connect(fixture.uri())) {
            term(1);
            baton.signal("STOP");
            assertThat(nextLeader(other, "frozen")).as("commands").isEmpty();
            baton.signal("CONT");
            assertThat(baton.status()).isEqualTo(79);
            assertThat(baton.err()).startsWith("baton: 'frozen' was lost").hasLineCount(1);
        }
    }

    @Test
    void elect_contactLost_sendsSigtermBeforeTheDeadline() throws Exception {
        Path status = directory.resolve("status");
        try (TestStore own = start()) {
            fixture = new RunFixture(own, directory);
            try (BatonProcess baton =
                    fixture.elect("--ttl", "3s", "--status-file", status.toString(), "cut", "--", "sh", "-c", POLITE)) {
                long term = term(1);
                own.stop();
                assertThat(baton.status()).isEqualTo(79);
                assertThat(fixture.logged()).containsExactly(Long.toString(term), "term");
                assertThat(said(baton)).hasSize(2);
                assertThat(said(baton).get(0))
                        .startsWith("baton: no contact with the store, 'cut' is ours for ")
                        .endsWith("SIGTERM to the command");
                assertThat(said(baton).get(1)).startsWith("baton: 'cut' was about to be lost");
                assertThat(status).content().startsWith("verdict=lost\nstatus=79\ncommand=3\ntoken=" + term + "\n");
            }
        }
    }

    @Test
    void elect_againAfterALoss_standsAndRunsTheCommandAnewUntilASignal() throws Exception {
        try (BatonProcess baton = fixture.elect("--again", "--ttl", "3s", "again", "--", "sh", "-c", POLITE);
                Coordinator other = Coordinator.connect(fixture.uri())) {
            long term = term(1);
            baton.signal("STOP");
            assertThat(nextLeader(other, "again")).as("commands").isEmpty();
            baton.signal("CONT");
            // Asked by the watchdog first, as it was frozen itself.
            assertThat(term(3)).isGreaterThan(nextTerm);
            assertThat(nextTerm).isGreaterThan(term);
            baton.signal("TERM");
            assertThat(baton.status()).isEqualTo(3);
            assertThat(fixture.logged()).hasSize(4).endsWith("term");
            assertThat(said(baton)).hasSize(2);
            assertThat(said(baton).get(0)).startsWith("baton: 'again' was lost");
            assertThat(said(baton).get(1)).isEqualTo("baton: standing again in 'again'");
        }
    }

    @Test
    void elect_sigtermWhileTheCommandRuns_reachesItAndTheNextLeads() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                BatonProcess baton = fixture.elect("--ttl", "1m", "told", "--", "sh", "-c", POLITE)) {
            term(1);
            baton.signal("TERM");
            assertThat(nextLeader(other, "told")).as("commands").isEmpty();
            assertThat(baton.status()).isEqualTo(3);
            assertThat(said(baton)).isEmpty();
        }
    }

    @Test
    void elect_sigtermWhileStanding_leavesTheLine() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                Candidacy leader = leading(other, "leave");
                BatonProcess baton = fixture.elect("--ttl", "1m", "leave", "--", "sh", "-c", WORK)) {
            awaitStanding(other, "leave", 2);
            baton.signal("TERM");
            assertThat(baton.status()).isEqualTo(143);
            assertThat(baton.out() + baton.err()).isEmpty();
            awaitStanding(other, "leave", 1);
            assertThat(leader.leadership()).isPresent();
        }
    }

    @Test
    void elect_timeout_isNotElected() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                Candidacy leader = leading(other, "late");
                BatonProcess baton = fixture.elect("--timeout", "3s", "late", "--", "echo", "ran")) {
            assertThat(baton.status()).isEqualTo(75);
            assertThat(baton.err()).isEqualTo("baton: not elected in 'late' within 3s\n");
            assertThat(baton.out()).isEmpty();
            assertThat(leader.leadership()).isPresent();
        }
    }

    @Test
    void elect_atAPath_isSeenAndWaitedForThere() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                LeaderObserver observer =
                        LeaderElection.at(other, "/legacy/leader", shared()).observe();
                BatonProcess baton =
                        fixture.elect("--at", "/legacy/leader", "--id", "node-1", "x", "--", "sh", "-c", UNTIL_TOLD);
                BatonProcess wordy = fixture.elect("--at", "/legacy/leader", "--advertise", "h:1", "x", "--", "true")) {
            long term = term(1);
            assertThat(observer.awaitLeader()).isEqualTo(new Leader("node-1", "", Map.of(), term, 0));
            assertThat(wordy.status()).isEqualTo(64);
            assertThat(wordy.err()).contains("nothing but the id is stored").hasLineCount(1);
            try (BatonProcess shown = fixture.run("leader", "--at", "/legacy/leader", "x")) {
                assertThat(shown.status()).as(shown.err()).isZero();
                assertThat(shown.out()).isEqualTo("'x': node-1 leads, term " + term + "\n");
            }
            Files.createFile(directory.resolve("log.stop"));
            assertThat(baton.status()).isEqualTo(4);
        }
    }

    @Test
    void elect_handOverTo_endsTheCommandAndPrintsWhoLeadsThen() throws Exception {
        Path status = directory.resolve("status");
        try (Coordinator other = Coordinator.connect(fixture.uri());
                BatonProcess first = fixture.elect(
                        "--id", "a", "--status-file", status.toString(), "over", "--", "sh", "-c", POLITE)) {
            long term = term(1);
            try (BatonProcess between = fixture.elect("--id", "b", "over", "--", "sh", "-c", WORK)) {
                awaitStanding(other, "over", 2);
                try (BatonProcess target = fixture.elect("--id", "c", "--again", "over", "--", "sh", "-c", WORK)) {
                    awaitStanding(other, "over", 3);
                    try (BatonProcess asked = fixture.elect("--hand-over-to", "c", "over")) {
                        assertThat(asked.status()).as(asked.err()).isZero();
                        assertThat(asked.out()).isEqualTo("'over': c leads, term " + term(3) + "\n");
                    }
                    assertThat(term(3)).isGreaterThan(term);
                    assertThat(first.status()).isEqualTo(79);
                    assertThat(fixture.logged().get(1)).isEqualTo("term");
                    assertThat(said(first))
                            .containsExactly(
                                    "baton: 'over' is being handed over: SIGTERM to the command",
                                    "baton: 'over' was handed over while the command ran; the command has been ended");
                    assertThat(status)
                            .content()
                            .startsWith("verdict=handed-over\nstatus=79\ncommand=3\ntoken=" + term + "\n");
                    awaitStanding(other, "over", 2);
                    between.signal("TERM");
                    assertThat(between.status()).isEqualTo(143);
                    target.signal("TERM");
                    assertThat(target.status()).isEqualTo(143);
                }
            }
        }
    }

    @Test
    void elect_handOverTheCommandIgnoresSigterm_isKilledAndHandedOver() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                BatonProcess first =
                        fixture.elect("--id", "a", "--grace", "500ms", "firm", "--", "sh", "-c", STUBBORN)) {
            term(1);
            try (Candidacy target =
                    LeaderElection.named(other, "firm").run(Candidate.of("b"), leadership -> leadership.awaitStop())) {
                awaitStanding(other, "firm", 2);
                try (BatonProcess asked = fixture.elect("--hand-over-to", "b", "firm")) {
                    assertThat(asked.status()).as(asked.err()).isZero();
                    assertThat(asked.out()).startsWith("'firm': b leads, term ");
                }
                assertThat(target.leadership()).isPresent();
                assertThat(fixture.commands()).isEmpty();
                assertThat(first.status()).isEqualTo(79);
            }
        }
    }

    @Test
    void elect_handOverToNobody_saysWhyAndTheLeaderGoesOn() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                Candidacy leader = leading(other, "stays");
                BatonProcess unknown = fixture.elect("--hand-over-to", "nobody", "--timeout", "5s", "stays");
                BatonProcess empty = fixture.elect("--hand-over-to", "nobody", "empty")) {
            assertThat(unknown.status()).isEqualTo(75);
            assertThat(unknown.err())
                    .startsWith("baton: not handed over to 'nobody': ")
                    .hasLineCount(1);
            assertThat(empty.status()).isEqualTo(75);
            assertThat(empty.err()).contains("nobody leads").hasLineCount(1);
            assertThat(leader.leadership()).isPresent();
            assertThat(leader.leadership().orElseThrow().stopReason()).isEmpty();
        }
    }

    @Test
    void elect_idIsBorneByAnother_isRefusedWithTheReason() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                Candidacy leader = leading(other, "twins");
                BatonProcess baton = fixture.elect("--id", "first", "--ttl", "2s", "twins", "--", "echo", "ran")) {
            assertThat(baton.status()).isEqualTo(69);
            assertThat(said(baton).get(0)).contains("candidate 'first'", "needs an id of its own");
            assertThat(said(baton)).endsWith("baton: refused as a candidate in 'twins'");
            assertThat(baton.out()).isEmpty();
            assertThat(leader.leadership()).isPresent();
        }
    }

    /** The token that the command has logged in this line. */
    private long term(int line) {
        return Long.parseLong(fixture.awaitLogged(line).get(line - 1));
    }

    private long nextTerm;

    /** Stands until elected; returns the commands that run at that moment. */
    private List<Long> nextLeader(Coordinator other, String name) {
        var seen = new CompletableFuture<List<Long>>();
        try (Candidacy next = LeaderElection.named(other, name).run(Candidate.of("next"), leadership -> {
            nextTerm = leadership.term();
            seen.complete(fixture.commands());
            leadership.awaitStop();
        })) {
            assertThat(next.trouble()).isEmpty();
            return seen.orTimeout(60, SECONDS).join();
        }
    }

    /** A candidate that leads already. */
    private static Candidacy leading(Coordinator other, String name) {
        Candidacy candidacy =
                LeaderElection.named(other, name).run(Candidate.of("first"), leadership -> leadership.awaitStop());
        await().atMost(30, SECONDS).until(() -> candidacy.leadership().isPresent());
        return candidacy;
    }

    /** Waits until so many stand in the election's line. */
    private static void awaitStanding(Coordinator other, String name, int many) {
        await().atMost(30, SECONDS)
                .until(() -> other.lockAt("/cli/elections/" + name, Dialect.BATON)
                                .queue()
                                .size()
                        == many);
    }

    /** What baton itself has said: the shell of the command may have its own word on what a signal ended. */
    private static List<String> said(BatonProcess baton) {
        return baton.err().lines().filter(line -> line.startsWith("baton: ")).toList();
    }
}
