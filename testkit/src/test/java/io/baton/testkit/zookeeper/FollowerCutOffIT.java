package io.baton.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What any client of ZooKeeper is up against: that a server answers does not mean that it knows. */
@Timeout(120)
@Tag("long")
class FollowerCutOffIT {

    /** Ten seconds, several times what it takes until the session has expired. */
    private static final int SYNC_LIMIT = 50;

    private static final Duration SESSION = Duration.ofSeconds(2);
    private static final int ROUNDS = 3;

    @Test
    void isolate_followerOfClient_answersReadsAfterLeaderHasExpiredTheSession() throws Exception {
        try (ZooKeeperEnsemble ensemble =
                ZooKeeperEnsemble.builder().syncLimit(SYNC_LIMIT).start()) {
            for (int round = 1; round <= ROUNDS; round++) {
                int leader = ensemble.leader();
                int follower = ensemble.followers().get(0);
                try (RawClient cutOff = RawClient.of(ensemble, follower, SESSION);
                        RawClient other = RawClient.of(ensemble, leader, Duration.ofSeconds(10))) {
                    String path = "/round-" + round;
                    cutOff.create(path, CreateMode.EPHEMERAL);
                    cutOff.forget();

                    ensemble.isolate(follower);
                    await().until(() -> !other.sees(path));

                    assertThat(cutOff.sees(path)).isTrue();
                    assertThat(cutOff.wasDisturbed()).isFalse();

                    ensemble.heal();
                    cutOff.awaitState(KeeperState.Expired);
                    assertThat(ensemble.followers()).hasSize(2);
                }
            }
        }
    }
}
