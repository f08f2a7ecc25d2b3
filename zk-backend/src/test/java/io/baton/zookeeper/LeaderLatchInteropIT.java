package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Baton's candidates and Apache Curator's {@code LeaderLatch} in one election. */
@Timeout(120)
class LeaderLatchInteropIT {

    private static final Duration TTL = Duration.ofSeconds(20);

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private static int number;

    private final String path = "/legacy/leader-" + number++;
    private final List<LeaderLatch> latches = new ArrayList<>();
    private CuratorFramework client;
    private Coordinator baton;
    private LeaderElection election;

    @BeforeEach
    void connect() throws Exception {
        client = CuratorFrameworkFactory.newClient(
                zookeeper.server().connectString(), (int) TTL.toMillis(), 10_000, new RetryOneTime(100));
        client.start();
        client.blockUntilConnected();
        baton = Coordinator.connect(
                zookeeper.uri(), CoordinatorOptions.builder().ttl(TTL).build());
        election = LeaderElection.at(baton, path, ZooKeeperDialects.CURATOR_LATCH);
    }

    @AfterEach
    void close() throws Exception {
        baton.close();
        for (LeaderLatch latch : latches) {
            if (latch.getState() == LeaderLatch.State.STARTED) {
                latch.close();
            }
        }
        client.close();
    }

    @Test
    void leaders_ofBothSides_followEachOtherInOrder() throws Exception {
        LeaderLatch first = latch("latch-1");
        assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();
        Candidacy ours = stand("baton-1");
        await().until(() -> first.getParticipants().size() == 2);
        LeaderLatch last = latch("latch-2");
        await().until(() -> first.getParticipants().size() == 3);
        assertThat(ours.leadership()).isEmpty();

        first.close();
        await().until(() -> ours.leadership().isPresent());
        assertThat(last.hasLeadership()).isFalse();
        assertThat(last.getLeader().getId()).isEqualTo("baton-1");

        ours.resign().get(30, TimeUnit.SECONDS);
        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(ours.leadership()).isEmpty();

        last.close();
        await().until(() -> ours.leadership().isPresent());
    }

    @Test
    void observers_ofBothSides_seeBothSidesLeaders() throws Exception {
        try (LeaderObserver observer = election.observe()) {
            LeaderLatch theirs = latch("latch-1");
            assertThat(theirs.await(30, TimeUnit.SECONDS)).isTrue();
            await().until(() -> observer.leader().map(Leader::id).equals(Optional.of("latch-1")));
            long term = observer.leader().orElseThrow().term();

            Candidacy ours = stand("baton-1");
            await().until(() -> theirs.getParticipants().size() == 2);
            theirs.close();
            await().until(() -> observer.leader().map(Leader::id).equals(Optional.of("baton-1")));
            assertThat(observer.leader().orElseThrow().term()).isGreaterThan(term);

            ours.close();
            await().until(() -> observer.leader().isEmpty());
        }
    }

    private LeaderLatch latch(String id) throws Exception {
        LeaderLatch latch = new LeaderLatch(client, path, id);
        latches.add(latch);
        latch.start();
        return latch;
    }

    private Candidacy stand(String id) {
        return election.runAsync(Candidate.of(id), leadership -> {
            var stopped = new CompletableFuture<>();
            leadership.onStop(stopped::complete);
            return stopped;
        });
    }
}
