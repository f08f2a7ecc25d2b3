package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.testkit.LongRun;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * A follower that has lost its leader goes on answering its clients, while the leader ends their sessions. Whoever takes
 * the answers for a sign of life holds on while the next one is granted.
 */
class FollowerCutOffIT {

    private static final int ROUNDS = LongRun.rounds(3, 10);
    private static final Duration TTL = Duration.ofSeconds(2);

    /** How long a follower serves on without its leader: 40 ticks of 200 ms. */
    private static final int SYNC_LIMIT = 40;

    @Test
    void hold_byWayOfAFollowerCutOffFromItsLeader_isLostBeforeTheNextIsGranted() throws Exception {
        int deceived = 0;
        try (ZooKeeperEnsemble ensemble =
                ZooKeeperEnsemble.builder().syncLimit(SYNC_LIMIT).start()) {
            for (int round = 1; round <= ROUNDS; round++) {
                deceived += round(ensemble, "round-" + round) ? 1 : 0;
                ensemble.heal();
            }
        }
        System.out.printf(
                "LOST before the next grant in %d of %d rounds; a deadline fed by reads outlived its entry in %d%n",
                ROUNDS, ROUNDS, deceived);
        assertThat(deceived)
                .as("rounds in which a deadline fed by answered reads was still in the future when the entry was gone")
                .isEqualTo(ROUNDS);
    }

    /** True if a client that takes answered reads for a sign of life would have been deceived. */
    private static boolean round(ZooKeeperEnsemble ensemble, String name) throws Exception {
        int leader = ensemble.leader();
        int follower = ensemble.followers().get(0);
        try (Coordinator holder = connect(ensemble.uriOf(follower, "app"));
                Coordinator next = connect(ensemble.uriOf(leader, "app"));
                ReadFedSession naive = new ReadFedSession(ensemble, follower, leader, TTL)) {
            Hold hold = holder.lock(name).acquire();
            var lostAt = new AtomicLong();
            hold.onLost(() -> lostAt.compareAndSet(0, System.nanoTime()));
            CompletableFuture<HoldState> stateAtGrant = next.lock(name)
                    .acquireAsync()
                    .thenApply(granted -> {
                        HoldState seen = hold.state();
                        granted.releaseAsync();
                        return seen;
                    });
            await().until(() -> next.lock(name).queue().size() == 2);

            ensemble.isolate(follower);

            assertThat(stateAtGrant.get(30, TimeUnit.SECONDS))
                    .as("%s: state of the hold when the next one was granted", name)
                    .isEqualTo(HoldState.LOST);
            await().until(() -> lostAt.get() != 0);
            return naive.outlivedItsEntry();
        }
    }

    private static Coordinator connect(String uri) throws InterruptedException {
        return Coordinator.connect(
                uri,
                CoordinatorOptions.builder()
                        .ttl(TTL)
                        .closeTimeout(Duration.ofMillis(200))
                        .build());
    }
}
