package io.baton.testkit.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@Tag("long")
class ZooKeeperEnsembleIT {

    private static final Duration SESSION = Duration.ofSeconds(10);

    private static ZooKeeperEnsemble ensemble;

    @BeforeAll
    static void open() throws InterruptedException {
        ensemble = ZooKeeperEnsemble.start();
    }

    @AfterAll
    static void close() {
        ensemble.close();
    }

    @BeforeEach
    void healthy() throws InterruptedException {
        for (int server : ensemble.servers()) {
            ensemble.thaw(server);
        }
        ensemble.heal();
    }

    @Test
    void uri_ofAllAndOfOne_namePortsAndTick() {
        int one = ensemble.clientPort(1);
        int two = ensemble.clientPort(2);
        int three = ensemble.clientPort(3);

        assertThat(ensemble.uri("a"))
                .isEqualTo("zk://127.0.0.1:" + one + ",127.0.0.1:" + two + ",127.0.0.1:" + three + "/a?tick=200ms");
        assertThat(ensemble.uriOf(2)).isEqualTo("zk://127.0.0.1:" + two + "?tick=200ms");
        assertThatThrownBy(() -> ensemble.uriOf(4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void leader_healthy_isOneAndTheOthersFollow() throws Exception {
        int leader = ensemble.leader();

        assertThat(ensemble.servers()).isEqualTo(List.of(1, 2, 3));
        assertThat(ensemble.followers()).hasSize(2).doesNotContain(leader);
    }

    @Test
    void received_clientOfOneServer_countsItsPacketsThere() throws Exception {
        int follower = ensemble.followers().get(0);
        long before = ensemble.received(follower);
        try (RawClient client = RawClient.of(ensemble, follower, SESSION)) {
            client.create("/received", CreateMode.EPHEMERAL);

            // It connects, and creates.
            assertThat(ensemble.received(follower)).isGreaterThanOrEqualTo(before + 2);
        }
    }

    @Test
    void kill_leader_anotherLeadsAndTheRestartedFollows() throws Exception {
        int killed = ensemble.leader();
        try (RawClient client = new RawClient(ensemble.connectString(), SESSION)) {
            client.create("/kept-through-kill", CreateMode.EPHEMERAL);

            ensemble.kill(killed);
            ensemble.awaitServing();
            assertThat(ensemble.leader()).isNotEqualTo(killed);
            assertThat(ensemble.followers()).hasSize(1);

            ensemble.restart(killed);
            ensemble.awaitServing();
            assertThat(ensemble.followers()).contains(killed);
            try (RawClient there = RawClient.of(ensemble, killed, SESSION)) {
                assertThat(there.sees("/kept-through-kill")).isTrue();
            }
        }
    }

    @Test
    void freeze_follower_answersNobodyUntilThawed() throws Exception {
        int frozen = ensemble.followers().get(0);
        try (RawClient client = RawClient.of(ensemble, frozen, Duration.ofSeconds(2))) {
            client.forget();
            ensemble.freeze(frozen);
            client.awaitState(KeeperState.Disconnected);
            assertThat(ensemble.followers()).hasSize(1);

            ensemble.thaw(frozen);
            ensemble.awaitServing();

            assertThat(ensemble.followers()).contains(frozen);
        }
    }

    @Test
    void isolate_leader_othersElectAnewAndItFollowsOnceHealed() throws Exception {
        int old = ensemble.leader();

        ensemble.isolate(old);
        await().until(() -> ensemble.leader() != old);
        int now = ensemble.leader();
        try (RawClient client = RawClient.of(ensemble, now, SESSION)) {
            client.create("/of-the-majority", CreateMode.PERSISTENT);
        }
        ensemble.heal();

        assertThat(ensemble.leader()).isEqualTo(now);
        try (RawClient client = RawClient.of(ensemble, old, SESSION)) {
            assertThat(client.sees("/of-the-majority")).isTrue();
        }
    }

    @Test
    void isolate_leader_commitsNothingMore() throws Exception {
        int old = ensemble.leader();
        try (RawClient client = RawClient.of(ensemble, old, SESSION)) {
            ensemble.isolate(old);

            assertThatThrownBy(() -> client.create("/never", CreateMode.PERSISTENT))
                    .isInstanceOf(KeeperException.ConnectionLossException.class);

            ensemble.heal();
            client.awaitConnected();
        }
    }

    @Test
    void cut_oneLinkOfTwoFollowers_disturbsNobody() throws Exception {
        List<Integer> followers = ensemble.followers();
        try (RawClient client = RawClient.of(ensemble, followers.get(0), SESSION)) {
            client.forget();
            ensemble.cut(followers.get(0), followers.get(1));
            client.create("/through-the-leader", CreateMode.PERSISTENT);
            ensemble.awaitServing();

            assertThat(client.wasDisturbed()).isFalse();
            assertThat(ensemble.followers()).isEqualTo(followers);
        }
    }

    @Test
    void cutOneWay_fromAFollower_itStillHears() throws Exception {
        int follower = ensemble.followers().get(0);
        int other = ensemble.followers().get(1);
        try (RawClient there = RawClient.of(ensemble, follower, SESSION);
                RawClient elsewhere = RawClient.of(ensemble, other, SESSION)) {
            ensemble.cutOneWay(follower, ensemble.leader());
            elsewhere.create("/heard", CreateMode.PERSISTENT);

            await().pollInterval(Duration.ofMillis(5)).until(() -> there.sees("/heard"));
        }
    }

    @Test
    void cutOneWay_toAFollower_itHearsNothing() throws Exception {
        int follower = ensemble.followers().get(0);
        int other = ensemble.followers().get(1);
        try (RawClient there = RawClient.of(ensemble, follower, SESSION);
                RawClient elsewhere = RawClient.of(ensemble, other, SESSION)) {
            ensemble.cutOneWay(ensemble.leader(), follower);
            elsewhere.create("/unheard", CreateMode.PERSISTENT);

            assertThat(there.sees("/unheard")).isFalse();
            ensemble.heal();
            there.awaitConnected();
            assertThat(there.sees("/unheard")).isTrue();
        }
    }

    @Test
    void cut_itself_isRefused() {
        assertThatThrownBy(() -> ensemble.cut(1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ensemble.cutOneWay(1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void environment_ofEachServer_isItsProcesss() throws Exception {
        try (ZooKeeperEnsemble own = ZooKeeperEnsemble.builder()
                .servers(2)
                .environment(server -> Map.of("WHOSE", "of-" + server))
                .start()) {
            for (int server : own.servers()) {
                String environment = Files.readString(Path.of("/proc", Long.toString(own.pid(server)), "environ"));
                assertThat(environment.split("\0")).contains("WHOSE=of-" + server);
            }
        }
    }
}
