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
import io.baton.zookeeper.ZooKeeperDialects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the store has a part in. */
class ElectCommandIT extends ElectTests {

    /** Whose names the entries on a path that is shared have. */
    Dialect shared() {
        return ZooKeeperDialects.CURATOR_LATCH;
    }

    /** A path of an election that is shared. */
    String place() {
        return "/legacy/leader";
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
    @Tag("long")
    void elect_atAPath_isSeenAndWaitedForThere() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                LeaderObserver observer =
                        LeaderElection.at(other, place(), shared()).observe();
                BatonProcess baton =
                        fixture.elect("--at", place(), "--id", "node-1", "x", "--", "sh", "-c", UNTIL_TOLD);
                BatonProcess wordy = fixture.elect("--at", place(), "--advertise", "h:1", "x", "--", "true")) {
            long term = term(1);
            assertThat(observer.awaitLeader()).isEqualTo(new Leader("node-1", "", Map.of(), term, 0));
            assertThat(wordy.status()).isEqualTo(64);
            assertThat(wordy.err()).contains("nothing but the id is stored").hasLineCount(1);
            try (BatonProcess shown = fixture.run("leader", "--at", place(), "x")) {
                assertThat(shown.status()).as(shown.err()).isZero();
                assertThat(shown.out()).isEqualTo("'x': node-1 leads, term " + term + "\n");
            }
            Files.createFile(directory.resolve("log.stop"));
            assertThat(baton.status()).isEqualTo(4);
        }
    }

    @Test
    @Tag("long")
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
    @Tag("long")
    void elect_handOverToWithAPin_isUndoneByPriorityOnceThatIsOver() throws Exception {
        Candidate preferred = Candidate.builder("high")
                .priority(1)
                .priorityDelay(Duration.ofMillis(100))
                .build();
        try (Coordinator other = Coordinator.connect(fixture.uri());
                Candidacy high =
                        LeaderElection.named(other, "pinned").run(preferred, leadership -> leadership.awaitStop())) {
            await().atMost(30, SECONDS).until(() -> high.leadership().isPresent());
            try (BatonProcess low = fixture.elect("--id", "low", "pinned", "--", "sh", "-c", WORK)) {
                awaitStanding(other, "pinned", 2);
                long before = System.nanoTime();
                try (BatonProcess asked = fixture.elect("--hand-over-to", "low", "--pin", "4s", "pinned")) {
                    assertThat(asked.status()).as(asked.err()).isZero();
                    assertThat(asked.out()).startsWith("'pinned': low leads, term ");
                }
                assertThat(low.status()).as(low.err()).isEqualTo(79);
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofSeconds(4));
            }
            await().atMost(30, SECONDS).until(() -> high.leadership().isPresent());
        }
    }

    @Test
    void elect_pinWithoutAHandOver_isRefused() throws Exception {
        try (BatonProcess pin = fixture.elect("--pin", "1h", "x", "--", "true")) {
            assertThat(pin.status()).isEqualTo(64);
            assertThat(pin.err()).contains("--pin goes with --hand-over-to").hasLineCount(1);
        }
    }

    @Test
    @Tag("long")
    void elect_paused_nobodyTakesOverUntilResumedAndEverybodySaysSo() throws Exception {
        try (Coordinator other = Coordinator.connect(fixture.uri());
                BatonProcess first = fixture.elect("--id", "a", "still", "--", "sh", "-c", WORK)) {
            term(1);
            try (BatonProcess second = fixture.elect("--id", "b", "still", "--", "sh", "-c", UNTIL_TOLD)) {
                awaitStanding(other, "still", 2);
                try (BatonProcess pause = fixture.elect("--pause", "--why", "racks", "--by", "ops", "still")) {
                    assertThat(pause.status()).as(pause.err()).isZero();
                    assertThat(pause.out()).matches("'still': paused by ops since \\S+Z: racks; a leads on\n");
                }
                awaitStanding(other, "still", 1);
                await().atMost(30, SECONDS).until(() -> said(second).size() == 1);
                assertThat(said(second).get(0)).matches("baton: 'still' is paused by ops since \\S+Z: racks");
                first.signal("TERM");
                assertThat(first.status()).isEqualTo(143);
                try (BatonProcess shown = fixture.run("leader", "still");
                        BatonProcess json = fixture.run("leader", "--json", "still")) {
                    assertThat(shown.status()).as(shown.err()).isEqualTo(1);
                    assertThat(shown.out())
                            .matches("'still': nobody leads\n'still': paused by ops since \\S+Z: racks\n");
                    assertThat(json.status()).isEqualTo(1);
                    assertThat(json.out()).contains("\"why\":\"racks\",\"leader\":\"a\"}");
                }
                assertThat(fixture.logged()).hasSize(1);
                try (BatonProcess resume = fixture.elect("--resume", "still")) {
                    assertThat(resume.status()).as(resume.err()).isZero();
                    assertThat(resume.out()).startsWith("'still': resumed; it was paused by ops since ");
                }
                term(2);
                Files.createFile(directory.resolve("log.stop"));
                assertThat(second.status()).isEqualTo(4);
                assertThat(said(second)).last().isEqualTo("baton: 'still' is resumed");
            }
        }
    }

    @Test
    void elect_pauseWithWhatDoesNotGoWithIt_isRefused() throws Exception {
        try (BatonProcess both = fixture.elect("--pause", "--resume", "x");
                BatonProcess why = fixture.elect("--why", "racks", "x", "--", "true");
                BatonProcess run = fixture.elect("--pause", "x", "--", "true")) {
            assertThat(both.status()).isEqualTo(64);
            assertThat(both.err()).contains("say one of them").hasLineCount(1);
            assertThat(why.status()).isEqualTo(64);
            assertThat(why.err()).contains("go with --pause").hasLineCount(1);
            assertThat(run.status()).isEqualTo(64);
            assertThat(run.err()).contains("they run nothing").hasLineCount(1);
        }
    }
}
