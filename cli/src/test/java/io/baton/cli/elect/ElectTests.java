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
import io.baton.election.LeaderElection;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What tests of {@code baton elect} share. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ElectTests {

    /** Says its term, and runs until it is ended. */
    static final String WORK = "sleep 1000 & echo $BATON_FENCING_TOKEN >>\"$LOG\"; wait";

    static final String POLITE = "trap 'echo term >>\"$LOG\"; kill $!; exit 3' TERM; " + WORK;
    static final String STUBBORN = "trap '' TERM; " + WORK;
    static final String UNTIL_TOLD =
            "echo $BATON_FENCING_TOKEN >>\"$LOG\"; while [ ! -e \"$LOG.stop\" ]; do sleep 0.05; done; exit 4";

    @TempDir
    Path directory;

    RunFixture fixture;
    /** The term of {@link #nextLeader}. */
    long nextTerm;

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
    void nothingStays() {
        fixture.awaitNothingRuns();
    }

    /** The token that the command has logged in this line. */
    long term(int line) {
        return Long.parseLong(fixture.awaitLogged(line).get(line - 1));
    }

    /** Stands until elected; returns the commands that run at that moment. */
    List<Long> nextLeader(Coordinator other, String name) {
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
    static Candidacy leading(Coordinator other, String name) {
        Candidacy candidacy =
                LeaderElection.named(other, name).run(Candidate.of("first"), leadership -> leadership.awaitStop());
        await().atMost(30, SECONDS).until(() -> candidacy.leadership().isPresent());
        return candidacy;
    }

    /** Waits until so many stand in the election's line. */
    static void awaitStanding(Coordinator other, String name, int many) {
        await().atMost(30, SECONDS)
                .until(() -> other.lockAt("/cli/elections/" + name, Dialect.BATON)
                                .queue()
                                .size()
                        == many);
    }

    /** What baton itself has said: the shell of the command may have its own word on what a signal ended. */
    static List<String> said(BatonProcess baton) {
        return baton.err().lines().filter(line -> line.startsWith("baton: ")).toList();
    }
}
