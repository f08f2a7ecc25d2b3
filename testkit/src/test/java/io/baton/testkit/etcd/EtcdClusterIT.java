package io.baton.testkit.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("etcd")
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class EtcdClusterIT {

    private static final String[] LOCAL_READ = {"get", "a", "--consistency", "s", "--print-value-only"};

    static List<EtcdBinaries> versions() {
        return EtcdBinaries.all();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void isolate_leader_othersElectAnother_andItStillTakesItselfForTheLeader(EtcdBinaries version) {
        try (EtcdCluster cluster = EtcdCluster.builder().binaries(version).start()) {
            int old = cluster.leader();
            cluster.ctl(old).run("put", "a", "before");
            // Checked by a quorum, it steps down once it has heard of nobody for an election's time; frozen it cannot.
            cluster.freeze(old);
            cluster.isolate(old);
            List<Integer> others =
                    cluster.members().stream().filter(member -> member != old).toList();
            await().until(() -> others.stream().anyMatch(cluster::leads));
            cluster.ctl(cluster.leader()).run("put", "a", "after");
            cluster.wake(old);

            assertThat(reads(cluster, old)).isEqualTo("before");
            assertThat(cluster.ctl(old).attempt("put", "b", "1", "--command-timeout", "1s"))
                    .isEmpty();
            assertThat(cluster.leader()).isNotEqualTo(old);

            cluster.heal();
            assertThat(reads(cluster, old)).isEqualTo("after");
            assertThat(cluster.ctl().keys("")).containsExactly("a");
        }
    }

    @Test
    void isolate_follower_hearsNothingAndTheOthersGoOn() {
        try (EtcdCluster cluster = EtcdCluster.start()) {
            int leader = cluster.leader();
            int follower = cluster.followers().get(0);
            cluster.ctl(leader).run("put", "a", "before");
            await().until(() -> reads(cluster, follower).equals("before"));

            cluster.isolate(follower);
            cluster.ctl(leader).run("put", "a", "after");

            assertThat(cluster.ctl(follower).attempt("get", "a", "--command-timeout", "1s"))
                    .isEmpty();
            assertThat(reads(cluster, follower)).isEqualTo("before");
            assertThat(cluster.leader()).isEqualTo(leader);
            cluster.heal();
            assertThat(reads(cluster, follower)).isEqualTo("after");
        }
    }

    @Test
    void cutOneWay_fromAFollower_itStillHears() {
        try (EtcdCluster cluster = EtcdCluster.start()) {
            int leader = cluster.leader();
            int follower = cluster.followers().get(0);

            cluster.cutOneWay(follower, leader);
            cluster.ctl(leader).run("put", "a", "heard");

            await().until(() -> reads(cluster, follower).equals("heard"));
        }
    }

    @Test
    void cutOneWay_toAFollower_itHearsNothing() {
        try (EtcdCluster cluster = EtcdCluster.start()) {
            int leader = cluster.leader();
            int follower = cluster.followers().get(0);
            cluster.ctl(leader).run("put", "a", "before");
            await().until(() -> reads(cluster, follower).equals("before"));

            cluster.cutOneWay(leader, follower);
            cluster.ctl(leader).run("put", "a", "after");

            assertThat(reads(cluster, follower)).isEqualTo("before");
            cluster.heal();
            assertThat(reads(cluster, follower)).isEqualTo("after");
        }
    }

    /** Where a lease is renewed at a follower, it asks the leader on a connection of another kind. */
    @Test
    void cut_followerFromTheLeader_leaseIsNotRenewedThere_butElsewhere() {
        try (EtcdCluster cluster = EtcdCluster.start()) {
            int leader = cluster.leader();
            int apart = cluster.followers().get(0);
            int other = cluster.followers().get(1);
            String lease = cluster.ctl(leader).run("lease", "grant", "60").split(" ")[1];
            String[] renew = {"lease", "keep-alive", "--once", lease};
            assertThat(cluster.ctl(apart).attempt(renew)).isPresent();

            cluster.isolate(apart);

            String[] impatient = {"lease", "keep-alive", "--once", lease, "--command-timeout", "1s"};
            assertThat(cluster.ctl(apart).attempt(impatient)).isEmpty();
            assertThat(cluster.ctl(other).attempt(renew)).isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void killLeader_anotherLeads_restart_allServe(EtcdBinaries version) {
        try (EtcdCluster cluster = EtcdCluster.builder().binaries(version).start()) {
            int old = cluster.leader();

            cluster.kill(old);
            cluster.awaitServing();
            assertThat(cluster.leader()).isNotEqualTo(old);
            cluster.ctl(cluster.leader()).run("put", "a", "1");
            cluster.restart(old);
            cluster.awaitServing();

            assertThat(reads(cluster, old)).isEqualTo("1");
        }
    }

    @Test
    void freezeLeader_anotherLeads_wake_allServe() {
        try (EtcdCluster cluster = EtcdCluster.start()) {
            int old = cluster.leader();

            cluster.freeze(old);
            await().until(() -> cluster.leader() != old);
            cluster.wake(old);
            cluster.awaitServing();

            assertThat(cluster.leads(old)).isFalse();
        }
    }

    @Test
    void moveLeader_thatMemberLeads() {
        try (EtcdCluster cluster = EtcdCluster.start()) {
            int next = cluster.followers().get(1);

            cluster.moveLeader(next);

            assertThat(cluster.leader()).isEqualTo(next);
            assertThat(cluster.uri("app").split(",")).hasSize(3);
            assertThat(cluster.uriOf(next, "app"))
                    .isEqualTo("etcd://127.0.0.1:" + cluster.address(next).getPort() + "/app");
        }
    }

    @Test
    void tlsAndAuthentication_ofAllMembers() {
        try (EtcdCluster cluster =
                EtcdCluster.builder().tls("ip:127.0.0.1", true).authentication().start()) {
            cluster.addUser("shop", "s3cret", "/shop/");
            for (int member : cluster.members()) {
                cluster.ctl(member).run("put", "/shop/" + member, "1", "--user", "shop:s3cret");
            }

            assertThat(cluster.ctl().keys("/shop/")).containsExactly("/shop/1", "/shop/2", "/shop/3");
            cluster.kill(1);
            cluster.restart(1);
            cluster.awaitServing();
        }
    }

    @Test
    void cut_itselfOrNobody_isRefused() {
        try (EtcdCluster cluster = EtcdCluster.builder().members(1).start()) {
            assertThatThrownBy(() -> cluster.cut(1, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> cluster.cutOneWay(1, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> cluster.kill(2)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** What this member knows by itself. */
    private static String reads(EtcdCluster cluster, int member) {
        return cluster.ctl(member).run(LOCAL_READ).trim();
    }
}
