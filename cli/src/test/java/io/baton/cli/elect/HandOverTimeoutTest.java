package io.baton.cli.elect;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.OutcomeUnknownException;
import io.baton.cli.CommandTimeout;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LeaderElection;
import io.baton.election.Leadership;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An hour that was over before the store was in reach. */
@Timeout(120)
class HandOverTimeoutTest {

    private static final String STORE = "mem:elect-timeout";
    private static final Duration HOUR = Duration.ofHours(1);

    private final CommandTimeout over = new CommandTimeout(HOUR, System.nanoTime() - HOUR.toNanos());

    @Test
    void left_nothing_isTheLeast() {
        assertThat(over.left(Duration.ofMillis(3))).isEqualTo(Duration.ofMillis(3));
        assertThat(over.isOver()).isTrue();
        CommandTimeout begun = CommandTimeout.of(HOUR);
        assertThat(begun.left(Duration.ofMillis(3))).isBetween(Duration.ofMinutes(50), HOUR);
        assertThat(begun.isOver()).isFalse();
    }

    @Test
    void await_connectingTookAllOfTheTime_waitsNoLonger() throws Exception {
        try (Coordinator baton = Coordinator.connect(STORE);
                Coordinator other = Coordinator.connect(STORE);
                Candidacy leader = leading(baton, "late")) {
            LeaderElection election = LeaderElection.named(other, "late");
            try (Standing standing = new Standing(election, "late", Candidate.of("b"), other.ttl())) {
                assertThatThrownBy(() -> standing.await(over))
                        .isInstanceOfSatisfying(
                                Failure.class,
                                failure -> assertThat(failure.status()).isEqualTo(Exit.NOT_ACQUIRED))
                        .hasMessage("not elected in 'late' within 3600s");
            }
            assertThat(leader.trouble()).isEmpty();
        }
    }

    @Test
    void ask_connectingTookAllOfTheTime_waitsNoLonger() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        Candidate slow = Candidate.builder("b").ready(() -> isOver(answer)).build();
        try (Coordinator baton = Coordinator.connect(STORE);
                Coordinator other = Coordinator.connect(STORE);
                Candidacy leader = leading(baton, "slow");
                Candidacy next = LeaderElection.named(other, "slow").run(slow, Leadership::awaitStop)) {
            MemoryStore store = MemoryStore.named("elect-timeout");
            await().atMost(60, SECONDS)
                    .until(() -> store.peers("elections/slow").size() == 2);
            // On a busy machine the answer may come too late.
            assertThatThrownBy(() -> HandOver.ask(STORE, "slow", "b", over, null))
                    .isInstanceOfAny(Failure.class, OutcomeUnknownException.class);
            answer.countDown();
            assertThat(leader.trouble()).isEmpty();
            assertThat(next.leadership()).isEmpty();
        }
    }

    private static Candidacy leading(Coordinator baton, String name) {
        Candidacy leader = LeaderElection.named(baton, name).run(Candidate.of("a"), Leadership::awaitStop);
        await().atMost(60, SECONDS).until(() -> leader.leadership().isPresent());
        return leader;
    }

    private static boolean isOver(CountDownLatch answer) {
        try {
            answer.await();
            return true;
        } catch (InterruptedException closed) {
            return false;
        }
    }
}
