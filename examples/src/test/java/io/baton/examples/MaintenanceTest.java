package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.election.ActiveStandby;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LeaderElection;
import io.baton.election.StandbyAdmin;
import io.baton.election.StandbyMember;
import io.baton.examples.Bookkeeping.Books;
import io.baton.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MaintenanceTest {

    @Test
    void moveLead_toACandidateAndToAStranger_movesItOrSaysWhyNot() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:maintenance-lead")) {
            try (Candidacy one = stand(baton, "node-1");
                    Candidacy two = stand(baton, "node-2")) {
                await().until(() -> one.leadership().isPresent());

                assertThat(Maintenance.moveLead(baton, "node-2")).startsWith("node-2 leads");
                await().until(() -> two.leadership().isPresent());
                assertThat(Maintenance.moveLead(baton, "node-3")).startsWith("not handed over: ");
                assertThat(two.leadership()).isPresent();
            }
        }
    }

    @Test
    void withoutFailover_leaderGoesMeanwhile_nobodyTakesOverUntilItIsOver() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:maintenance-pause");
                Coordinator other = Coordinator.connect("mem:maintenance-pause")) {
            Candidacy one = stand(baton, "node-1");
            await().until(() -> one.leadership().isPresent());
            try (Candidacy two = stand(other, "node-2")) {
                Maintenance.withoutFailover(baton, "moving racks", () -> {
                    await().until(() -> two.pause().isPresent());
                    one.close();
                    assertThat(two.leadership()).isEmpty();
                });

                await().until(() -> two.leadership().isPresent());
            }
        }
    }

    @Test
    void repaired_fencerHasFailed_theNodeTriesAgainAndIsActive() throws Exception {
        MemoryStore store = MemoryStore.named("maintenance-nodes");
        List<String> attempts = new CopyOnWriteArrayList<>();
        try (Coordinator one = connect("one");
                Coordinator two = connect("two")) {
            ActiveStandby crashing = Bookkeeping.start(one, "node-1", "10.0.0.1:80", new Books(one), attempts::add);
            await().until(() -> crashing.state() == ActiveStandby.State.ACTIVE);
            store.suspend("one");
            store.expireSessions("one");

            try (ActiveStandby next = Bookkeeping.start(two, "node-2", "10.0.0.2:80", new Books(two), address -> {
                attempts.add(address);
                if (attempts.size() < 2) {
                    throw new IllegalStateException("the power switch does not answer");
                }
            })) {
                await().until(() -> !attempts.isEmpty());

                Maintenance.repaired(two);

                await().until(() -> next.state() == ActiveStandby.State.ACTIVE);
                assertThat(attempts).hasSize(2);
                assertThat(StandbyAdmin.named(two, "books").overview().members())
                        .extracting(StandbyMember::id)
                        .containsExactly("node-2");
            }
            store.resume();
        }
    }

    private static Candidacy stand(Coordinator baton, String id) {
        return LeaderElection.named(baton, "dispatcher").run(Candidate.of(id), leadership -> {
            var unused = leadership.awaitStop();
        });
    }

    private static Coordinator connect(String client) throws InterruptedException {
        return Coordinator.connect(
                "mem:maintenance-nodes",
                CoordinatorOptions.builder().client(client).build());
    }
}
