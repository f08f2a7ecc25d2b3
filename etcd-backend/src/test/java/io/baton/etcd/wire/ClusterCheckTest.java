package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.ClusterCheck.Verdict;
import io.baton.etcd.wire.EtcdAddress.Host;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClusterCheckTest {

    private static final Host A = new Host("a", 2379);
    private static final Host B = new Host("b", 2379);
    private static final Host C = new Host("c", 2379);

    private final AtomicLong cluster = new AtomicLong();
    private final ClusterCheck check = new ClusterCheck(cluster, 3);

    @Test
    void judge_firstAnswer_saysWhichClusterItIs() {
        assertThat(check.judge(A, 7)).isEqualTo(Verdict.SAME);
        assertThat(cluster).hasValue(7);
    }

    @Test
    void judge_oneMemberOfAnotherCluster_isPassedOverHoweverOftenItAnswers() {
        cluster.set(7);

        assertThat(check.judge(B, 8)).isEqualTo(Verdict.FOREIGN);
        assertThat(check.judge(B, 8)).isEqualTo(Verdict.FOREIGN);
        assertThat(cluster).hasValue(7);
    }

    @Test
    void judge_mostMembersOfOneOtherCluster_isReplaced() {
        cluster.set(7);

        assertThat(check.judge(B, 8)).isEqualTo(Verdict.FOREIGN);
        assertThat(check.judge(C, 8)).isEqualTo(Verdict.REPLACED);
        assertThat(cluster).hasValue(8);
        assertThat(check.judge(A, 7)).isEqualTo(Verdict.FOREIGN);
    }

    @Test
    void judge_membersOfDifferentOtherClusters_agreeOnNothing() {
        cluster.set(7);

        assertThat(check.judge(B, 8)).isEqualTo(Verdict.FOREIGN);
        assertThat(check.judge(C, 9)).isEqualTo(Verdict.FOREIGN);
        assertThat(check.judge(A, 9)).isEqualTo(Verdict.REPLACED);
    }

    @Test
    void judge_contactInBetween_countsAnew() {
        cluster.set(7);

        assertThat(check.judge(B, 8)).isEqualTo(Verdict.FOREIGN);
        assertThat(check.judge(A, 7)).isEqualTo(Verdict.SAME);
        assertThat(check.judge(C, 8)).isEqualTo(Verdict.FOREIGN);
    }

    @Test
    void judge_halfOfTheMembers_isNotMost() {
        cluster.set(7);
        var two = new ClusterCheck(cluster, 2);

        assertThat(two.judge(B, 8)).isEqualTo(Verdict.FOREIGN);
        assertThat(two.judge(A, 8)).isEqualTo(Verdict.REPLACED);
    }
}
