package io.baton.etcd.inspect;

import static io.baton.spi.inspect.Finding.Level.OK;
import static io.baton.spi.inspect.Finding.Level.PROBLEM;
import static io.baton.spi.inspect.Finding.Level.UNKNOWN;
import static io.baton.spi.inspect.Finding.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.wire.Diagnosis;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.Finding;
import io.baton.spi.inspect.Finding.Level;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.StatusResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdFindingsTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_700_003_600);
    private static final int BYTES = 1_400_000;
    private static final ClusterFacts CLUSTER = cluster(3, List.of(), List.of(), List.of(), 2);
    private static final Map<String, Double> COUNTS = Map.of(
            "etcd_server_quota_backend_bytes", 2e9,
            "etcd_debugging_mvcc_compact_revision", 4_000.0,
            "etcd_debugging_mvcc_db_compaction_total_duration_milliseconds_count", 12.0,
            "process_start_time_seconds", 1.7e9);
    private static final MemberFacts LEADER = member(1, 1, "3.5.16", COUNTS);
    private static final MemberFacts FOLLOWER = member(2, 1, "3.5.16", COUNTS);

    @Test
    void of_clusterAsItShouldBe_isAllOk() {
        List<Finding> all = findings(CLUSTER, LEADER, FOLLOWER, member(3, 1, "3.5.16", COUNTS));

        assertThat(all).isNotEmpty().allSatisfy(each -> assertThat(each.level()).isEqualTo(OK));
        assertThat(all)
                .extracting(Finding::check)
                .contains(
                        "servers",
                        "cluster",
                        "version",
                        "timings",
                        "alarms",
                        "permissions",
                        "requests",
                        "transactions",
                        "database",
                        "compaction",
                        "clock");
    }

    @Test
    void of_memberAway_isAWarningWithTheReason() {
        MemberFacts away = silent("refuses connections", Diagnosis.Kind.AWAY);
        assertThat(levels(findings(CLUSTER, LEADER, away), "servers")).containsExactly(WARNING);
        assertThat(away.isEtcd()).isFalse();
    }

    @Test
    void of_memberWithoutLeader_isAProblem() {
        MemberFacts alone = silent("says etcdserver: no leader", Diagnosis.Kind.AILING);
        assertThat(levels(findings(CLUSTER, LEADER, alone), "leader")).containsExactly(PROBLEM);
        assertThat(levels(findings(CLUSTER, LEADER, alone), "servers")).isEmpty();
        assertThat(alone.isEtcd()).isTrue();
    }

    @Test
    void of_noQuorum_isAProblem() {
        List<Finding> all = rules(Duration.ofSeconds(10)).of(List.of(FOLLOWER), Optional.empty());
        assertThat(levels(all, "quorum")).containsExactly(PROBLEM);
    }

    @Test
    void of_membersOfTwoClusters_areAProblem() {
        MemberFacts other = member(2, 2, 99, "3.5.16", false, 1_000, COUNTS);
        assertThat(levels(findings(CLUSTER, LEADER, other), "servers")).containsExactly(PROBLEM);
    }

    @Test
    void of_learner_isAWarning() {
        MemberFacts learner = member(2, 1, 7, "3.5.16", true, 1_000, COUNTS);
        assertThat(learner.role()).contains("learner");
        assertThat(levels(findings(CLUSTER, LEADER, learner), "learner")).containsExactly(WARNING);
        ClusterFacts one = cluster(3, List.of("new"), List.of(), List.of(), 2);
        assertThat(levels(findings(one, LEADER), "cluster")).containsExactly(WARNING);
    }

    @Test
    void of_sizesOfClusters_areJudgedByWhatTheySurvive() {
        assertThat(levels(findings(cluster(1, List.of(), List.of(), List.of(), 2), LEADER), "cluster"))
                .containsExactly(WARNING);
        assertThat(levels(findings(cluster(2, List.of(), List.of(), List.of(), 2), LEADER, FOLLOWER), "cluster"))
                .containsExactly(WARNING);
        assertThat(levels(findings(CLUSTER, LEADER), "cluster"))
                .as("URI names one of three")
                .containsExactly(WARNING);
    }

    @Test
    void of_versions_areCompared() {
        assertThat(levels(findings(CLUSTER, LEADER, member(2, 1, "3.4.23", COUNTS)), "version"))
                .containsExactly(WARNING);
    }

    @Test
    void of_shortestLease_tellsTheElectionTimeout() {
        ClusterFacts slow = cluster(3, List.of(), List.of(), List.of(), 15);
        Finding raised = find(findings(slow, LEADER), "timings");
        assertThat(raised.level()).isEqualTo(WARNING);
        assertThat(raised.what()).contains("15 s", "10 s", "they get more");
        ClusterFacts slower = cluster(3, List.of(), List.of(), List.of(), 6);
        Finding lost = find(findings(slower, LEADER), "timings");
        assertThat(lost.level()).isEqualTo(WARNING);
        assertThat(lost.what()).contains("election timeout of up to 4 s", "may be lost");
        assertThat(levels(rules(Duration.ofSeconds(30)).of(List.of(LEADER), Optional.of(slower)), "timings"))
                .containsExactly(OK);
    }

    @Test
    void of_alarms_areProblems() {
        ClusterFacts full = cluster(3, List.of(), List.of("NOSPACE", "CORRUPT"), List.of(), 2);
        assertThat(levels(findings(full, LEADER), "alarms")).containsExactly(PROBLEM, PROBLEM);
    }

    @Test
    void of_refusals_sayWhatToDoWithOrWithoutAUser() {
        ClusterFacts refused = cluster(3, List.of(), List.of(), List.of("read below /app/locks/"), 2);
        assertThat(find(findings(refused, LEADER), "permissions").todo()).contains("grant-permission");
        Finding anonymous = find(
                new EtcdFindings(Duration.ofSeconds(10), BYTES, "/app/", false, NOW)
                        .of(List.of(LEADER), Optional.of(refused)),
                "permissions");
        assertThat(anonymous.level()).isEqualTo(PROBLEM);
        assertThat(anonymous.todo()).contains("BATON_ETCD_USER");
    }

    @Test
    void of_permissionsForBatonsOwnKeysOnly_areAWarning() {
        ClusterFacts own = cluster(3, List.of(), List.of(), List.of(), false, 2);

        Finding finding = find(findings(own, LEADER), "permissions");
        assertThat(finding.level()).isEqualTo(WARNING);
        assertThat(finding.what()).contains("but not everything there");
        assertThat(finding.todo()).contains("grant-permission");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.3.27", "3.4.19", "3.5.0", "3.5.6"})
    void of_versionThatRefusesReadsOnceItIsFull_isAWarning(String version) {
        Finding finding = find(findings(CLUSTER, member(1, 1, version, COUNTS)), "version");
        assertThat(finding.level()).isEqualTo(WARNING);
        assertThat(finding.what()).startsWith("etcd " + version + " refuses reads");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.20", "3.5.7", "3.5.16", "3.6.0", "3.10.1", "3.7.0-alpha.0", "of our own"})
    void of_versionThatReadsAlthoughItIsFull_isOk(String version) {
        assertThat(levels(findings(CLUSTER, member(1, 1, version, COUNTS)), "version"))
                .containsExactly(OK);
    }

    @Test
    void of_limitsOfRequests_areComparedWithWhatBatonSends() {
        var small = new ClusterFacts(
                3,
                List.of(),
                Optional.of(List.of()),
                List.of(),
                true,
                Optional.empty(),
                Optional.of(Duration.ofSeconds(2)),
                OptionalInt.of(175_000),
                Optional.of(false));
        assertThat(find(findings(small, LEADER), "requests").what()).contains("175000 bytes, and not of 350000");
        assertThat(levels(findings(small, LEADER), "requests")).containsExactly(PROBLEM);
        assertThat(levels(findings(small, LEADER), "transactions")).containsExactly(PROBLEM);
        var untold = new ClusterFacts(
                3,
                List.of(),
                Optional.empty(),
                List.of(),
                true,
                Optional.of("request timed out"),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty());
        assertThat(levels(findings(untold, LEADER), "writes")).containsExactly(PROBLEM);
        assertThat(levels(findings(untold, LEADER), "permissions")).isEmpty();
        assertThat(levels(findings(untold, LEADER), "requests")).containsExactly(UNKNOWN);
        assertThat(levels(findings(untold, LEADER), "transactions")).containsExactly(UNKNOWN);
        assertThat(levels(findings(untold, LEADER), "timings")).containsExactly(UNKNOWN);
        assertThat(levels(findings(untold, LEADER), "alarms")).containsExactly(UNKNOWN);
    }

    @Test
    void of_database_isComparedWithItsQuota() {
        assertThat(levels(findings(CLUSTER, member(1, 1, 7, "3.5.16", false, 1_700_000_000L, COUNTS)), "database"))
                .containsExactly(WARNING);
        assertThat(levels(findings(CLUSTER, LEADER), "database")).containsExactly(OK);
        assertThat(levels(findings(CLUSTER, member(1, 1, "3.5.16", Map.of())), "database"))
                .containsExactly(UNKNOWN);
    }

    @Test
    void of_compaction_warnsWhereItNeverIsOrAllTheTime() {
        assertThat(levels(findings(CLUSTER, LEADER), "compaction")).containsExactly(OK);
        assertThat(levels(findings(CLUSTER, counting(-1, 0)), "compaction")).containsExactly(WARNING);
        Finding often = find(findings(CLUSTER, counting(4_000, 720)), "compaction");
        assertThat(often.level()).isEqualTo(WARNING);
        assertThat(often.what()).contains("every 5 s");
        assertThat(levels(findings(CLUSTER, member(1, 1, "3.5.16", Map.of())), "compaction"))
                .containsExactly(UNKNOWN);
    }

    @Test
    void of_compactionOfAMemberWhoseClockDiffers_isJudgedByThatClock() {
        assertThat(levels(findings(CLUSTER, counting(4_000, 720, Duration.ofHours(100))), "compaction"))
                .as("ran for 101 hours")
                .containsExactly(OK);
        assertThat(levels(findings(CLUSTER, counting(4_000, 720, Duration.ofHours(-2))), "compaction"))
                .as("its clock was set back")
                .containsExactly(OK);
    }

    // ---- facts

    private static MemberFacts counting(double compacted, double compactions, Duration ahead) {
        MemberFacts member = counting(compacted, compactions);
        return new MemberFacts(
                member.server(),
                member.trouble(),
                member.status(),
                member.roundTrip(),
                member.metrics(),
                Optional.of(new ClockReading(member.server(), ahead, Duration.ofMillis(500))));
    }

    private static MemberFacts counting(double compacted, double compactions) {
        return member(
                1,
                1,
                "3.5.16",
                Map.of(
                        "etcd_server_quota_backend_bytes",
                        2e9,
                        "etcd_debugging_mvcc_compact_revision",
                        compacted,
                        "etcd_debugging_mvcc_db_compaction_total_duration_milliseconds_count",
                        compactions,
                        "process_start_time_seconds",
                        1.7e9));
    }

    private static ClusterFacts cluster(
            int voters, List<String> learners, List<String> alarms, List<String> refused, int shortest) {
        return cluster(voters, learners, alarms, refused, refused.isEmpty(), shortest);
    }

    private static ClusterFacts cluster(
            int voters,
            List<String> learners,
            List<String> alarms,
            List<String> refused,
            boolean everything,
            int shortest) {
        return new ClusterFacts(
                voters,
                learners,
                Optional.of(alarms),
                refused,
                everything,
                Optional.empty(),
                Optional.of(Duration.ofSeconds(shortest)),
                OptionalInt.of(BYTES),
                Optional.of(true));
    }

    private static MemberFacts silent(String why, Diagnosis.Kind kind) {
        return new MemberFacts(
                "h3:2379",
                Optional.of(new Diagnosis("h3:2379 " + why, kind)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static MemberFacts member(long id, long leader, String version, Map<String, Double> counts) {
        return member(id, leader, 7, version, false, 1_000_000, counts);
    }

    private static MemberFacts member(
            long id,
            long leader,
            long cluster,
            String version,
            boolean learner,
            long size,
            Map<String, Double> counts) {
        StatusResponse status = StatusResponse.newBuilder()
                .setHeader(ResponseHeader.newBuilder()
                        .setClusterId(cluster)
                        .setMemberId(id)
                        .setRevision(5_000))
                .setLeader(leader)
                .setVersion(version)
                .setIsLearner(learner)
                .setDbSize(size)
                .setDbSizeInUse(size)
                .build();
        return new MemberFacts(
                "h" + id + ":2379",
                Optional.empty(),
                Optional.of(status),
                Optional.of(Duration.ofMillis(1)),
                Optional.of(new MetricsText(counts)),
                Optional.of(new ClockReading("h" + id, Duration.ofMillis(100), Duration.ofMillis(500))));
    }

    private static EtcdFindings rules(Duration ttl) {
        return new EtcdFindings(ttl, BYTES, "/app/", true, NOW);
    }

    private static List<Finding> findings(ClusterFacts cluster, MemberFacts... members) {
        return rules(Duration.ofSeconds(10)).of(Arrays.asList(members), Optional.of(cluster));
    }

    private static Finding find(List<Finding> all, String check) {
        return only(all, check).findFirst().orElseThrow();
    }

    private static List<Level> levels(List<Finding> all, String check) {
        return only(all, check).map(Finding::level).toList();
    }

    private static Stream<Finding> only(List<Finding> all, String check) {
        return all.stream().filter(each -> each.check().equals(check));
    }
}
