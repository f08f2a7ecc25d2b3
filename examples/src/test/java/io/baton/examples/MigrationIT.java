package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.election.Candidacy;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import io.baton.election.Leadership;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.zookeeper.ZooKeeperDialects;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks and elections of {@link Migration} stand at the paths where other programs look for them. */
@Timeout(120)
class MigrationIT {

    @Test
    void standBesideLatches_alone_leadsAtThePathOfTheLatches() throws Exception {
        try (LocalZooKeeper zookeeper = LocalZooKeeper.start();
                Coordinator baton = Coordinator.connect(zookeeper.uri("shop"));
                Candidacy me = Migration.standBesideLatches(baton, "baton-1", Leadership::awaitStop);
                LeaderObserver observer = LeaderElection.at(baton, "/legacy/leader", ZooKeeperDialects.CURATOR_LATCH)
                        .observe()) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> observer.leader().map(Leader::id).equals(Optional.of("baton-1")));
            assertThat(me.candidate().id()).isEqualTo("baton-1");
        }
    }

    @Test
    @Tag("etcd")
    void tryBesideEtcdctl_nobodyHolds_itsKeyStandsBelowThePath() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start();
                Coordinator baton = Coordinator.connect(etcd.uri("shop"));
                Hold hold = Migration.tryBesideEtcdctl(baton).orElseThrow()) {
            assertThat(etcd.keys("/legacy/report/")).hasSize(1);
            assertThat(hold.name()).isEqualTo("/legacy/report");
        }
    }
}
