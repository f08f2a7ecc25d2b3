package io.baton.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.baton.tck.Contention;
import io.baton.testkit.etcd.EtcdBinaries;
import io.baton.testkit.etcd.EtcdCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that contend on one lock while the cluster of three loses its leader: at no moment two valid holds, no update
 * lost, and hand-offs go on once the cluster is well. How long that took is printed, as machines are too different to
 * assert it.
 */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LeaderFaults {

    private static final int CLIENTS = 6;
    private static final int SOME = 20;
    static final Duration TTL = Duration.ofSeconds(4);

    private final EtcdBinaries etcd;
    private EtcdCluster cluster;
    private Contention contention;

    LeaderFaults(EtcdBinaries etcd) {
        this.etcd = etcd;
    }

    @BeforeAll
    void start() {
        cluster = EtcdCluster.builder().binaries(etcd).start();
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @BeforeEach
    void contend() throws InterruptedException {
        contention = new Contention(cluster.uri("app" + System.nanoTime()), CLIENTS, TTL);
        moreGrants();
    }

    @AfterEach
    void end() {
        contention.close();
    }

    EtcdCluster cluster() {
        return cluster;
    }

    Contention contention() {
        return contention;
    }

    @Test
    @Tag("long")
    void leader_killed_handOffsGoOn() throws Exception {
        int leader = cluster.leader();
        cluster.kill(leader);
        cluster.awaitServing();
        resumes("leader killed");

        cluster.restart(leader);
        cluster.awaitServing();
        contention.finish();
    }

    @Test
    void leader_frozenForLongerThanSessionsLive_handOffsGoOn() throws Exception {
        int leader = cluster.leader();
        cluster.freeze(leader);
        cluster.awaitServing();
        resumes("leader frozen");
        // The time is the fault: until all leases have ended, by its account.
        SECONDS.sleep(TTL.toSeconds() + 1);

        cluster.wake(leader);
        cluster.awaitServing();
        resumes("old leader woken");
        contention.finish();
    }

    void resumes(String after) {
        long well = System.nanoTime();
        moreGrants();
        long millis = Duration.ofNanos(System.nanoTime() - well).toMillis();
        System.out.println("etcd " + cluster.version() + ", " + after + ": " + SOME + " more hand-offs " + millis
                + " ms after the cluster was well; " + contention.summary());
    }

    void moreGrants() {
        int before = contention.grants();
        await().atMost(60, SECONDS)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> contention.grants() >= before + SOME);
    }
}
