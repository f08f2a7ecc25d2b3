package io.baton.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.baton.cli.Captured;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Quotas;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** On ZooKeepers that are as they should be, and on such that are not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoctorCommandIT {

    private static final Map<String, String> BAD =
            Map.of("JAVA_TOOL_OPTIONS", "-Djute.maxbuffer=300000 -Dzookeeper.skipACL=yes");

    /** A quota of a single node. */
    private static final String FULL = "count=-1,bytes=-1=;byteHardLimit=-1;countHardLimit=1";

    private LocalZooKeeper good;
    private ZooKeeperEnsemble bad;

    @BeforeAll
    void start() throws InterruptedException {
        good = LocalZooKeeper.start();
        bad = ZooKeeperEnsemble.builder()
                .setting("4lw.commands.whitelist", "srvr,conf")
                .setting("maxClientCnxns", "8")
                .setting("enforceQuota", "true")
                .setting("reconfigEnabled", "true")
                .environment(server -> BAD)
                .start();
    }

    @AfterAll
    void stop() {
        bad.close();
        good.close();
    }

    @Test
    void doctor_serverAsItShouldBe_findsNoProblemAndLeavesNothing() {
        var before = good.contents();
        Findings found = Findings.of(good.uri("app"))
                .status(0)
                .has("ok", "servers", "all servers of the URI serve (1)")
                .has("ok", "version", "ZooKeeper 3.")
                .has("ok", "packets", "1048575 bytes")
                .has("ok", "session limits", "400 ms to 60 s; clients ask for 10 s")
                .has("ok", "path", "/app is not there; the first client makes it")
                .has("ok", "quotas")
                .has("ok", "clock");
        assertThat(found.wrong())
                .extracting(each -> each.substring(0, each.indexOf(':')))
                .containsExactlyInAnyOrder("warning ensemble", "unknown tick", "unknown connections");
        assertThat(good.contents().toString()).isEqualTo(before.toString());
    }

    @Test
    void doctor_forPeople_beginsWithASummaryAndTheWorst() {
        Captured run = Captured.run("doctor", "--connect", good.uri("app") + "&create=no");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out().lines().toList())
                .startsWith(
                        good.uri("app") + "&create=no: 1 problem, 1 warning, 2 unknown, 6 ok",
                        "",
                        "  problem  path: /app is not there, and create=no in the URI",
                        "           -> make it, or write create=yes");
    }

    @Test
    void doctor_ttlOutsideTheLimits_isAWarning() {
        Findings.of(good.uri("app"), "--ttl", "2m").status(0).has("warning", "session limits", "they get less");
        Findings.of(good.uri("app"), "--ttl", "300ms").status(0).has("warning", "session limits", "they get more");
    }

    @Test
    void doctor_limitsWithWhichNothingWorks_areAProblem() {
        try (LocalZooKeeper stingy = limited(Duration.ofMillis(500))) {
            Findings.of(stingy.uri("app"))
                    .status(1)
                    .has("problem", "session limits", "400 ms to 500 ms", "raise maxSessionTimeout");
        }
    }

    @Test
    void doctor_limitsOfTwentyTicks_tellTheTick() {
        try (LocalZooKeeper usual = limited(Duration.ofSeconds(4))) {
            Findings.of(usual.uri("app")).has("ok", "tick", "the session limits of a tickTime of 200 ms");
            Findings.of(usual.uri("app").replace("tick=200ms", "tick=100ms"))
                    .has("warning", "tick", "its session limits are those of 200 ms", "?tick=200ms");
        }
    }

    @Test
    void doctor_nodesOfOthers_areAProblemOfPermissions() throws Exception {
        try (ZooKeeper admin = client(good.connectString())) {
            var owner = new Id("digest", DigestAuthenticationProvider.generateDigest("owner:secret"));
            List<ACL> closed = Collections.singletonList(new ACL(Perms.ALL, owner));
            admin.create("/closed", new byte[0], closed, CreateMode.PERSISTENT);
            admin.create("/partly", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            admin.create("/partly/locks", new byte[0], Ids.READ_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        Findings.of(good.uri("closed"))
                .status(1)
                .has("problem", "permissions", "read below /closed, nor create below /closed", "BATON_ZK_DIGEST_USER");
        Findings.of(good.uri("partly"))
                .status(1)
                .has("problem", "permissions", "this client may not create below /partly/locks");
    }

    @Test
    void doctor_quotas_areFoundAboveAndBelowThePath() throws Exception {
        try (ZooKeeper admin = client(good.connectString())) {
            setQuota(admin, "/team", "count=1000,bytes=-1", "count=3,bytes=0");
            setQuota(admin, "/team/app", "count=-1,bytes=-1=;byteHardLimit=-1;countHardLimit=50", "count=2,bytes=0");
            setQuota(admin, "/team/app/locks", FULL, "count=1,bytes=0");
        }
        Findings.of(good.uri("team/app"))
                .status(1)
                .has("ok", "quotas", "/team has ", "of 1000 nodes")
                .has("warning", "quotas", "/team/app has ", "of 50 (hard) nodes", "servers that enforce quotas")
                .has("problem", "quotas", "/team/app/locks has ", "of 1 (hard) nodes");
    }

    @Test
    void doctor_softQuotaNearlyUsed_isAWarning() throws Exception {
        try (ZooKeeper admin = client(good.connectString())) {
            setQuota(admin, "/nearly", "count=-1,bytes=100", "count=1,bytes=0");
            admin.setData("/nearly", new byte[75], -1);
            Findings.of(good.uri("nearly")).has("ok", "quotas", "/nearly has ", "75 bytes, of any number of nodes");
            admin.setData("/nearly", new byte[85], -1);
            Findings.of(good.uri("nearly"))
                    .status(0)
                    .has(
                            "warning",
                            "quotas",
                            "/nearly has ",
                            "85 bytes, of any number of nodes and 100 bytes -> raise it");
        }
    }

    @Test
    @Tag("faketime")
    void doctor_clockAnHourAway_isAWarning(@TempDir Path directory) throws InterruptedException {
        Findings.anHourAhead(directory, good.uri("app"))
                .status(0)
                .has("warning", "clock", "the clock of the leader is 3", " behind this machine's", "NTP");
    }

    @Test
    void doctor_serverAway_isAWarning() {
        String away = "127.0.0.1:" + Loopback.freePort();
        Findings.of(good.uri("app").replace("zk://", "zk://" + away + ","))
                .status(0)
                .has("warning", "servers", away + " refuses connections");
    }

    @Test
    void doctor_adminServer_tellsTheTickWhereConfMustNot() throws Exception {
        HttpServer admin = HttpServer.create(Loopback.at(0), 0);
        admin.createContext("/commands/configuration", exchange -> {
            byte[] body = "{\n  \"tick_time\" : 3000,\n  \"max_client_cnxns\" : 60\n}".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        admin.start();
        try {
            String port = Integer.toString(admin.getAddress().getPort());
            Findings.of(good.uri("app"), "--admin-port", port)
                    .status(1)
                    .has("problem", "tick", "a tickTime of 3 s, and the URI says 200 ms", "?tick=3000ms")
                    .has("ok", "connections", "takes 60 connections from one address");
        } finally {
            admin.stop(0);
        }
    }

    @Test
    void doctor_ensembleThatIsNot_findsWhatIsWrongAndThenTheMissingQuorum() throws Exception {
        String tick = "?tick=100ms";
        String all = "zk://" + bad.connectString() + "/app";
        Findings.of(all + tick)
                .status(1)
                .has("ok", "servers", "all servers of the URI serve (3)")
                .has("ok", "ensemble", "3 servers vote: it works while 1 of them is down")
                .has("problem", "tick", "a tickTime of 200 ms, and the URI says 100 ms", "?tick=200ms")
                .has("problem", "packets", "262143 bytes, and not of 524287", "jute.maxbuffer")
                .has("warning", "connections", "takes 8 connections from one address");
        Findings.of(all + "?tick=2s").has("warning", "tick", "the shortest ttl is ", "?tick=200ms");
        Findings.of(bad.uriOf(1, "app"))
                .has("warning", "ensemble", "the URI names 1 of the ensemble's 3 servers")
                .has("ok", "tick", "a tickTime of 200 ms");
        Captured status = Captured.run("status", "--connect", all + "?tick=200ms");
        assertThat(status.out()).containsPattern(" leader +3\\.").containsPattern(" follower +3\\.");

        try (ZooKeeper admin = client(bad.connectString())) {
            setQuota(admin, "/full", FULL, "count=1,bytes=0");
        }
        Findings.of(bad.uri("full")).status(1).has("problem", "quotas", "a quota forbids to create below /full");

        int observer = bad.followers().get(0);
        voteNoLonger(observer);
        await().atMost(30, SECONDS)
                .untilAsserted(() -> Findings.of(bad.uriOf(observer, "app"))
                        .has("warning", "observers", "name voters in the URI")
                        .has("warning", "ensemble", "two servers vote"));

        List<Integer> voters =
                bad.servers().stream().filter(each -> each != observer).toList();
        bad.kill(voters.get(0));
        bad.kill(voters.get(1));
        awaitWithoutQuorum(all + tick);
        bad.kill(observer);
        Captured dead = Captured.run("doctor", "--connect", all);
        assertThat(dead.status()).isEqualTo(69);
        assertThat(dead.out()).isEmpty();
        assertThat(dead.err())
                .startsWith("baton: no contact with zk://")
                .contains("refuses connections")
                .hasLineCount(1);
    }

    /** Has a server of the bad ones observe only. */
    private void voteNoLonger(int server) throws Exception {
        try (var admin = new ZooKeeperAdmin(bad.connectString(), 10_000, event -> {})) {
            String member = new String(admin.getConfig(false, new Stat()), UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("server." + server + "="))
                    .findFirst()
                    .orElseThrow();
            admin.reconfigure(member.replace(":participant", ":observer"), null, null, -1, new Stat());
        } catch (KeeperException.ConnectionLossException itsOwnServerChangedItsRole) {
            // The configuration shows whether it was done.
        }
    }

    /** The last server takes a moment to notice. */
    private static void awaitWithoutQuorum(String uri) {
        await().atMost(30, SECONDS)
                .untilAsserted(() -> Findings.of(uri, "--timeout", "2s")
                        .status(1)
                        .has("problem", "quorum", "no server of the URI gives a session")
                        .has("warning", "servers", "does not serve now; is there a quorum"));
    }

    private static LocalZooKeeper limited(Duration longestSession) {
        return LocalZooKeeper.builder().maxSessionTimeout(longestSession).start();
    }

    private static ZooKeeper client(String servers) throws Exception {
        return new ZooKeeper(servers, 10_000, event -> {});
    }

    /** Makes a node with a quota of which so much is used. */
    private static void setQuota(ZooKeeper admin, String path, String limits, String used) throws Exception {
        Map<String, String> nodes = new LinkedHashMap<>();
        nodes.put(path, "");
        nodes.put(Quotas.quotaPath(path), "");
        nodes.put(Quotas.limitPath(path), limits);
        nodes.put(Quotas.statPath(path), used);
        for (var each : nodes.entrySet()) {
            admin.create(each.getKey(), each.getValue().getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
    }
}
