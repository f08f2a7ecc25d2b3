package io.baton.zookeeper.inspect;

import static io.baton.spi.inspect.Finding.Level.OK;
import static io.baton.spi.inspect.Finding.Level.PROBLEM;
import static io.baton.spi.inspect.Finding.Level.UNKNOWN;
import static io.baton.spi.inspect.Finding.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.Finding;
import io.baton.spi.inspect.Finding.Level;
import io.baton.zookeeper.wire.Diagnosis;
import io.baton.zookeeper.wire.ServerQuestions;
import io.baton.zookeeper.wire.ZkAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.apache.zookeeper.StatsTrack;
import org.junit.jupiter.api.Test;

class ZkFindingsTest {

    private static final Duration TICK = Duration.ofSeconds(2);
    private static final Optional<SrvrAnswer> FOLLOWER = Optional.of(new SrvrAnswer("3.9.5", "follower", 7));
    private static final Optional<ServerConf> CONF = Optional.of(new ServerConf(TICK, OptionalInt.of(60)));
    private static final OptionalInt USUAL = OptionalInt.of(ServerQuestions.USUAL_PACKET);
    private static final ServerFacts GOOD = server("h1:2181");
    private static final Optional<ClockReading> CLOCK =
            Optional.of(new ClockReading("the leader", Duration.ofMillis(3), Duration.ofMillis(2)));
    private static final EnsembleFacts ENSEMBLE =
            new EnsembleFacts(false, List.of(), List.of(), true, List.of(), 3, 0, CLOCK);

    @Test
    void of_ensembleAsItShouldBe_isAllOk() {
        List<Finding> all = findings(ENSEMBLE, GOOD, server("h2:2181"), server("h3:2181"));

        assertThat(all).isNotEmpty().allSatisfy(each -> assertThat(each.level()).isEqualTo(OK));
        assertThat(all).extracting(Finding::todo).containsOnly("");
        assertThat(all)
                .extracting(Finding::check)
                .contains(
                        "servers",
                        "ensemble",
                        "version",
                        "tick",
                        "session limits",
                        "packets",
                        "connections",
                        "permissions",
                        "quotas",
                        "clock");
    }

    @Test
    void of_serverAway_isAWarningWithTheReason() {
        assertThat(levels(
                        findings(ENSEMBLE, GOOD, away("h2:2181 refuses connections", Diagnosis.Kind.AWAY)), "servers"))
                .containsExactly(WARNING);
    }

    @Test
    void of_noSession_isAProblemOfTheQuorum() {
        ServerFacts ailing = away("h1:2181 does not serve now", Diagnosis.Kind.AILING);
        List<Finding> all = new ZkFindings(address(), Duration.ofSeconds(10), ZkFindingsTest::least)
                .of(List.of(ailing), Optional.empty());

        assertThat(levels(all, "quorum")).containsExactly(PROBLEM);
        assertThat(all).hasSize(2);
    }

    @Test
    void of_observersOnly_isAWarning() {
        ServerFacts observer = server("h1:2181", "3.9.5", "observer");
        assertThat(levels(findings(ENSEMBLE, observer, observer, observer), "observers"))
                .containsExactly(WARNING);
        assertThat(levels(findings(ENSEMBLE, observer, observer, GOOD), "observers"))
                .isEmpty();
    }

    @Test
    void of_sizesOfEnsembles_areJudgedByWhatTheySurvive() {
        ServerFacts single = server("h1:2181", "3.9.5", "standalone");
        assertThat(find(findings(voters(0, 0), single), "ensemble").what()).startsWith("a single server");
        assertThat(levels(findings(voters(1, 0), GOOD), "ensemble")).containsExactly(WARNING);
        assertThat(levels(findings(voters(0, 0), GOOD, single), "ensemble"))
                .as("its list of members cannot be read")
                .containsExactly(UNKNOWN);
        assertThat(levels(findings(voters(0, 0), single, single), "ensemble"))
                .as("no ensemble")
                .containsExactly(PROBLEM);
        assertThat(levels(findings(voters(2, 0), GOOD, GOOD), "ensemble")).containsExactly(WARNING);
        assertThat(levels(findings(voters(3, 0), GOOD), "ensemble"))
                .as("URI names one of three")
                .containsExactly(WARNING);
        assertThat(levels(findings(voters(3, 1), GOOD, GOOD, GOOD), "ensemble"))
                .as("an observer is not named")
                .containsExactly(WARNING);
        assertThat(findings(voters(5, 0), GOOD, GOOD, GOOD, GOOD, GOOD))
                .extracting(Finding::what)
                .contains("5 servers vote: it works while 2 of them are down");
    }

    @Test
    void of_versions_areComparedAndMustBeNewEnough() {
        assertThat(levels(findings(ENSEMBLE, GOOD, server("h2:2181", "3.8.4", "leader")), "version"))
                .containsExactly(WARNING);
        assertThat(levels(findings(ENSEMBLE, server("h1:2181", "3.5.9", "leader")), "version"))
                .containsExactly(PROBLEM);
        var none = new EnsembleFacts(false, List.of(), List.of(), false, List.of(), 3, 0, CLOCK);
        assertThat(levels(findings(none, GOOD), "version")).containsExactly(PROBLEM);
        assertThat(levels(findings(none, GOOD), "permissions"))
                .as("nothing could be written")
                .containsExactly(UNKNOWN);
        ServerFacts silent =
                facts("h1:2181", Optional.empty(), CONF, USUAL, Duration.ofSeconds(4), Duration.ofSeconds(40));
        assertThat(levels(findings(ENSEMBLE, silent), "version")).containsExactly(UNKNOWN);
    }

    @Test
    void of_tickOfTheServer_isComparedWithThatOfTheUri() {
        assertThat(levels(findings(ENSEMBLE, ticking(3_000)), "tick"))
                .as("a proof would count too early")
                .containsExactly(PROBLEM);
        assertThat(levels(findings(ENSEMBLE, ticking(2_000)), "tick")).containsExactly(OK);
        Finding slower = find(findings(ENSEMBLE, ticking(500)), "tick");
        assertThat(slower.level()).isEqualTo(WARNING);
        assertThat(slower.todo()).contains("?tick=500ms");
    }

    @Test
    void of_tickThatIsNotTold_isGuessedFromTheSessionLimits() {
        assertThat(levels(findings(ENSEMBLE, limited(4_000, 40_000)), "tick")).containsExactly(OK);
        assertThat(levels(findings(ENSEMBLE, limited(400, 4_000)), "tick")).containsExactly(WARNING);
        assertThat(levels(findings(ENSEMBLE, limited(400, 60_000)), "tick")).containsExactly(UNKNOWN);
    }

    @Test
    void of_sessionLimits_areComparedWithTheTtl() {
        assertThat(levels(findings(ENSEMBLE, limited(4_000, 5_000)), "session limits"))
                .as("nothing that works with a tick of 2 s")
                .containsExactly(PROBLEM);
        assertThat(levels(findings(ENSEMBLE, limited(4_000, 8_000)), "session limits"))
                .containsExactly(WARNING);
        assertThat(levels(findings(ENSEMBLE, limited(12_000, 40_000)), "session limits"))
                .containsExactly(WARNING);
        assertThat(levels(findings(ENSEMBLE, limited(4_000, 40_000)), "session limits"))
                .containsExactly(OK);
        assertThat(levels(
                        new ZkFindings(address(), Duration.ofSeconds(5), ZkFindingsTest::least)
                                .of(List.of(GOOD), Optional.of(ENSEMBLE)),
                        "session limits"))
                .as("less than works")
                .containsExactly(WARNING);
    }

    @Test
    void of_serversThatGrantDifferentTimeouts_areAWarning() {
        List<Finding> differ =
                findings(ENSEMBLE, limited(4_000, 40_000), limited(4_000, 10_000), limited(12_000, 40_000));
        assertThat(only(differ, "session limits").filter(each -> each.what().contains("another one")))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.level()).isEqualTo(WARNING);
                    assertThat(each.what()).contains("grants 10 s", "12 s");
                });

        assertThat(levels(findings(ENSEMBLE, limited(4_000, 40_000), limited(8_000, 60_000)), "session limits"))
                .as("limits that do not matter to this ttl")
                .containsExactly(OK, OK);
    }

    @Test
    void of_smallPackets_areAProblem() {
        ServerFacts small = facts(
                "h1:2181", FOLLOWER, CONF, OptionalInt.of(131_071), Duration.ofSeconds(4), Duration.ofSeconds(40));
        Finding found = find(findings(ENSEMBLE, small), "packets");
        assertThat(found.level()).isEqualTo(PROBLEM);
        assertThat(found.what()).contains("131071 bytes, and not of 262143");
        assertThat(found.todo()).contains("jute.maxbuffer");
    }

    @Test
    void of_connectionLimits_warnWhereTheyAreFew() {
        assertThat(levels(findings(ENSEMBLE, connections(5, 0)), "connections")).containsExactly(WARNING);
        assertThat(levels(findings(ENSEMBLE, connections(60, 500)), "connections"))
                .as("from many addresses")
                .containsExactly(OK);
        assertThat(levels(findings(ENSEMBLE, connections(0, 5_000)), "connections"))
                .containsExactly(OK);
        assertThat(levels(findings(ENSEMBLE, limited(4_000, 40_000)), "connections"))
                .containsExactly(UNKNOWN);
    }

    @Test
    void of_refusals_areAProblemWithTheirPaths() {
        var refused = new EnsembleFacts(
                false, List.of("read below /a", "create below /a"), List.of(), true, List.of(), 3, 0, CLOCK);
        Finding found = find(findings(refused, GOOD), "permissions");
        assertThat(found.level()).isEqualTo(PROBLEM);
        assertThat(found.what()).isEqualTo("this client may not read below /a, nor create below /a");
    }

    @Test
    void of_missingPath_isAProblemOnlyIfItMayNotBeMade() {
        var missing = new EnsembleFacts(true, List.of(), List.of(), true, List.of(), 3, 0, CLOCK);
        assertThat(levels(findings(missing, GOOD), "path")).containsExactly(OK);
        ZkAddress fixed = ZkAddress.parse(URI.create("zk://h1:2181/app?create=no"));
        assertThat(levels(
                        new ZkFindings(fixed, Duration.ofSeconds(10), ZkFindingsTest::least)
                                .of(List.of(GOOD), Optional.of(missing)),
                        "path"))
                .containsExactly(PROBLEM);
    }

    @Test
    void of_quotas_areJudgedByHowMuchIsUsed() {
        assertThat(quota("count=100,bytes=-1", "count=10,bytes=5")).isEqualTo(OK);
        assertThat(quota("count=100,bytes=-1", "count=85,bytes=5")).isEqualTo(WARNING);
        assertThat(quota("count=-1,bytes=-1=;byteHardLimit=-1;countHardLimit=100", "count=10,bytes=5"))
                .isEqualTo(WARNING);
        assertThat(quota("count=-1,bytes=-1=;byteHardLimit=1000;countHardLimit=-1", "count=10,bytes=1000"))
                .isEqualTo(PROBLEM);
        var full = new EnsembleFacts(false, List.of(), List.of("/app/locks"), true, List.of(), 3, 0, CLOCK);
        assertThat(find(findings(full, GOOD), "quotas").what()).isEqualTo("a quota forbids to create below /app/locks");
    }

    @Test
    void of_clock_warnsWhereItIsFarOff() {
        var far = new ClockReading("the leader", Duration.ofSeconds(-61), Duration.ofMillis(2));
        var slow = new EnsembleFacts(false, List.of(), List.of(), true, List.of(), 3, 0, Optional.of(far));
        assertThat(find(findings(slow, GOOD), "clock").what()).startsWith("the clock of the leader is 61 s behind");
        assertThat(levels(findings(slow, GOOD), "clock")).containsExactly(WARNING);
        var untold = new EnsembleFacts(false, List.of(), List.of(), true, List.of(), 3, 0, Optional.empty());
        assertThat(levels(findings(untold, GOOD), "clock")).containsExactly(UNKNOWN);
    }

    // ---- facts

    private static Level quota(String limits, String used) {
        var state = new QuotaState("/app", new StatsTrack(limits), new StatsTrack(used));
        var facts = new EnsembleFacts(false, List.of(), List.of(), true, List.of(state), 3, 0, CLOCK);
        return find(findings(facts, GOOD), "quotas").level();
    }

    private static EnsembleFacts voters(int voters, int observers) {
        return new EnsembleFacts(false, List.of(), List.of(), true, List.of(), voters, observers, CLOCK);
    }

    private static ServerFacts server(String name) {
        return server(name, "3.9.5", "follower");
    }

    private static ServerFacts server(String name, String version, String mode) {
        return facts(
                name,
                Optional.of(new SrvrAnswer(version, mode, 7)),
                CONF,
                USUAL,
                Duration.ofSeconds(4),
                Duration.ofSeconds(40));
    }

    private static ServerFacts ticking(int millis) {
        var conf = new ServerConf(Duration.ofMillis(millis), OptionalInt.of(60));
        return facts("h1:2181", FOLLOWER, Optional.of(conf), USUAL, Duration.ofSeconds(4), Duration.ofSeconds(40));
    }

    /** One that tells nothing of its configuration. */
    private static ServerFacts limited(int shortest, int longest) {
        return facts(
                "h1:2181", FOLLOWER, Optional.empty(), USUAL, Duration.ofMillis(shortest), Duration.ofMillis(longest));
    }

    private static ServerFacts connections(int most, int open) {
        return facts(
                "h1:2181",
                Optional.of(new SrvrAnswer("3.9.5", "leader", open)),
                Optional.of(new ServerConf(TICK, OptionalInt.of(most))),
                USUAL,
                Duration.ofSeconds(4),
                Duration.ofSeconds(40));
    }

    private static ServerFacts facts(
            String name,
            Optional<SrvrAnswer> srvr,
            Optional<ServerConf> conf,
            OptionalInt packet,
            Duration shortest,
            Duration longest) {
        return new ServerFacts(name, Optional.empty(), srvr, conf, packet, Optional.of(shortest), Optional.of(longest));
    }

    private static ServerFacts away(String why, Diagnosis.Kind kind) {
        return new ServerFacts(
                "h2:2181",
                Optional.of(new Diagnosis(why, kind)),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static List<Finding> findings(EnsembleFacts ensemble, ServerFacts... servers) {
        return new ZkFindings(address(), Duration.ofSeconds(10), ZkFindingsTest::least)
                .of(Arrays.asList(servers), Optional.of(ensemble));
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

    private static Duration least(Duration tick) {
        return tick.multipliedBy(3);
    }

    private static ZkAddress address() {
        return ZkAddress.parse(URI.create("zk://h1:2181,h2:2181,h3:2181/app?tick=2s"));
    }
}
