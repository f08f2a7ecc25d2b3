package io.baton.cli.leader;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.cli.BatonProcess;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import io.baton.election.ActiveStandby;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LeaderElection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeaderCommandIT {

    @TempDir
    Path directory;

    private RunFixture fixture;
    private TestStore store;

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
    void leader_nobodyLeads_saysSoWithAStatusOfItsOwn() throws InterruptedException {
        try (BatonProcess text = fixture.run("leader", "nobody");
                BatonProcess json = fixture.run("leader", "--json", "nobody")) {
            assertThat(text.status()).isEqualTo(1);
            assertThat(text.out()).isEqualTo("'nobody': nobody leads\n");
            assertThat(json.status()).isEqualTo(1);
            assertThat(json.out())
                    .matches(
                            "\\{\"id\":null,\"address\":null,\"term\":null,\"priority\":null,\"metadata\":\\{},\"state\":null,\"paused\":null,\"seen\":\"[^\"]+\"}\n");
            assertThat(text.err() + json.err()).isEmpty();
        }
    }

    @Test
    void leader_somebodyLeads_isShownWithAddressTermAndMetadata() throws InterruptedException {
        Candidate me = Candidate.builder("node \"1\"\u202e")
                .address("10.0.0.1:80")
                .metadata("zone", "a")
                .metadata("note", "")
                .build();
        try (Coordinator baton = fixture.connect();
                Candidacy candidacy = leading(baton, "shown", me);
                BatonProcess text = fixture.run("leader", "shown");
                BatonProcess json = fixture.run("leader", "--json", "shown")) {
            long term = candidacy.leadership().orElseThrow().term();
            assertThat(text.status()).as(text.err()).isZero();
            assertThat(text.out())
                    .isEqualTo("'shown': node \"1\"\\u202e leads, term " + term + ", at 10.0.0.1:80, note=, zone=a\n");
            assertThat(json.status()).isZero();
            assertThat(json.out())
                    .startsWith(
                            "{\"id\":\"node \\\"1\\\"\\u202e\",\"address\":\"10.0.0.1:80\",\"term\":" + term
                                    + ",\"priority\":0,\"metadata\":{\"note\":\"\",\"zone\":\"a\"},\"state\":null,\"paused\":null,\"seen\":\"");
        }
    }

    @Test
    void leader_follow_printsEachLeaderAndThatNobodyLeadsUntilASignal() throws InterruptedException {
        try (Coordinator baton = fixture.connect();
                BatonProcess follower = fixture.run("leader", "--follow", "changes")) {
            awaitPrinted(follower, 1);
            try (Candidacy first = leading(baton, "changes", Candidate.of("a"))) {
                awaitPrinted(follower, 2);
                assertThat(first.leadership()).isPresent();
            }
            awaitPrinted(follower, 3);
            try (Candidacy second = leading(baton, "changes", Candidate.of("b"))) {
                List<String> lines = awaitPrinted(follower, 4);
                assertThat(lines).allSatisfy(line -> assertThat(line).matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  .*"));
                assertThat(lines.stream().map(line -> line.substring(14)))
                        .satisfiesExactly(
                                line -> assertThat(line).isEqualTo("nobody leads"),
                                line -> assertThat(line).startsWith("a leads, term "),
                                line -> assertThat(line).isEqualTo("nobody leads"),
                                line -> assertThat(line)
                                        .isEqualTo("b leads, term "
                                                + second.leadership()
                                                        .orElseThrow()
                                                        .term()));
            }
            follower.signal("INT");
            assertThat(follower.status()).isEqualTo(130);
            assertThat(follower.err()).isEmpty();
        }
    }

    @Test
    void leader_followAcrossARestartOfTheServer_tellsOfTheBreakAndGoesOn() throws InterruptedException {
        CoordinatorOptions patient =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(30)).build();
        try (TestStore own = start()) {
            fixture = new RunFixture(own, directory);
            try (Coordinator baton = Coordinator.connect(fixture.uri(), patient);
                    BatonProcess follower = fixture.run("leader", "--follow", "--json", "restart")) {
                try (Candidacy first = leading(baton, "restart", Candidate.of("a"))) {
                    await().atMost(30, SECONDS).until(() -> follower.out().contains("\"id\":\"a\""));
                    own.restart();
                    await().atMost(30, SECONDS).until(() -> follower.err().contains("no contact with the store"));
                    assertThat(first.trouble()).isEmpty();
                }
                try (Candidacy second = leading(baton, "restart", Candidate.of("b"))) {
                    await().atMost(30, SECONDS).until(() -> follower.out().contains("\"id\":\"b\""));
                    assertThat(second.trouble()).isEmpty();
                }
                assertThat(follower.alive()).isTrue();
            }
        }
    }

    @Test
    void leader_storeNotReachable_namesTheAddress() throws InterruptedException {
        for (String[] line : List.of(
                new String[] {"leader", "--connect", nowhere(), "--timeout", "500ms", "x"},
                new String[] {"elect", "--connect", nowhere(), "--timeout", "500ms", "x", "--", "true"})) {
            try (BatonProcess baton = BatonProcess.start(directory, Map.of(), List.of(line))) {
                assertThat(baton.status()).isEqualTo(69);
                assertThat(baton.err())
                        .startsWith("baton: ")
                        .contains("127.0.0.1:1")
                        .hasLineCount(1);
                assertThat(baton.out()).isEmpty();
            }
        }
    }

    @Test
    void leader_activeAndStandby_saysHowFarItHasCome() throws InterruptedException {
        var mayStart = new CountDownLatch(1);
        try (Coordinator baton = fixture.connect();
                ActiveStandby node = ActiveStandby.builder(baton, "books", "node-1")
                        .onPromote(leadership -> mayStart.await(), Duration.ofMinutes(1))
                        .onDemote(leadership -> {}, Duration.ofSeconds(1))
                        .withoutFencer("a test")
                        .start()) {
            await().atMost(30, SECONDS).until(() -> node.state() == ActiveStandby.State.PROMOTING);
            await().atMost(60, SECONDS)
                    .until(() -> shown("books"), text -> text.matches("(?s).*; starting as of \\S+Z\n"));
            mayStart.countDown();
            await().atMost(30, SECONDS).until(() -> node.state() == ActiveStandby.State.ACTIVE);
            await().atMost(60, SECONDS)
                    .until(() -> shown("books"), text -> text.matches("(?s).*; active as of \\S+Z\n"));
        }
    }

    private String shown(String name) throws InterruptedException {
        try (BatonProcess leader = fixture.run("leader", name)) {
            assertThat(leader.status()).as(leader.err()).isZero();
            return leader.out();
        }
    }

    private static List<String> awaitPrinted(BatonProcess baton, int lines) {
        return await().atMost(30, SECONDS)
                .until(() -> baton.out().lines().toList(), printed -> printed.size() >= lines);
    }

    private static Candidacy leading(Coordinator baton, String name, Candidate me) {
        Candidacy candidacy = LeaderElection.named(baton, name).run(me, leadership -> leadership.awaitStop());
        await().atMost(30, SECONDS).until(() -> candidacy.leadership().isPresent());
        return candidacy;
    }
}
