package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.baton.tck.Contention;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that contend on one lock while the ensemble of three loses servers: at no moment two valid holds, no update
 * lost, and hand-offs go on once the ensemble is well. How long that took is printed, as machines are too different to
 * assert it.
 */
@Timeout(240)
class EnsembleFaultsIT {

    private static final int CLIENTS = 6;
    private static final int SOME = 20;
    private static final Duration TTL = Duration.ofSeconds(6);

    private static ZooKeeperEnsemble ensemble;

    private Contention contention;

    @BeforeAll
    static void start() throws InterruptedException {
        ensemble = ZooKeeperEnsemble.start();
    }

    @AfterAll
    static void stop() {
        ensemble.close();
    }

    @BeforeEach
    void contend() throws InterruptedException {
        contention = new Contention(ensemble.uri("app" + System.nanoTime()), CLIENTS, TTL);
        moreGrants();
    }

    @AfterEach
    void end() {
        contention.close();
    }

    @Test
    @Tag("long")
    void leader_killed_handOffsGoOn() throws Exception {
        int leader = ensemble.leader();
        ensemble.kill(leader);
        ensemble.awaitServing();
        resumes("leader killed");

        ensemble.restart(leader);
        ensemble.awaitServing();
        contention.finish();
    }

    @Test
    void leader_frozen_handOffsGoOn() throws Exception {
        int leader = ensemble.leader();
        ensemble.freeze(leader);
        ensemble.awaitServing();
        resumes("leader frozen");

        ensemble.thaw(leader);
        ensemble.awaitServing();
        resumes("old leader woken");
        contention.finish();
    }

    @Test
    @Tag("long")
    void servers_restartedOneAfterTheOther_handOffsGoOn() throws Exception {
        for (int server : ensemble.servers()) {
            ensemble.kill(server);
            ensemble.awaitServing();
            ensemble.restart(server);
            ensemble.awaitServing();
            resumes("server " + server + " restarted");
        }
        contention.finish();
    }

    @Test
    @Tag("long")
    void quorum_lostForTenSeconds_handOffsGoOn() throws Exception {
        int leader = ensemble.leader();
        int follower = ensemble.followers().get(0);
        ensemble.kill(leader);
        ensemble.kill(follower);
        // The time is the fault: for so long nobody can be granted anything.
        SECONDS.sleep(10);
        ensemble.restart(leader);
        ensemble.restart(follower);
        ensemble.awaitServing();
        resumes("quorum lost for 10 s");
        contention.finish();
    }

    private void resumes(String after) {
        long well = System.nanoTime();
        moreGrants();
        long millis = Duration.ofNanos(System.nanoTime() - well).toMillis();
        System.out.println(after + ": " + SOME + " more hand-offs " + millis + " ms after the ensemble was well; "
                + contention.summary());
    }

    private void moreGrants() {
        int before = contention.grants();
        await().atMost(60, SECONDS)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> contention.grants() >= before + SOME);
    }
}
