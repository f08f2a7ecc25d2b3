package io.baton.cli.doctor;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.cli.Captured;
import io.baton.testkit.etcd.EtcdBinaries;
import io.baton.testkit.etcd.EtcdCluster;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.proxy.Loopback;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** On etcds that are as they should be, and on such that are not. */
@Tag("etcd")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdDoctorCommandIT {

    /** So many revisions are worth compacting. */
    private static final int MANY = 1_100;

    private LocalEtcd good;
    private LocalEtcd bad;

    @TempDir
    Path directory;

    @BeforeAll
    void start() {
        good = LocalEtcd.start();
        bad = LocalEtcd.builder()
                .authentication()
                .pace(Duration.ofSeconds(1), Duration.ofSeconds(10))
                .flag("--max-request-bytes", "200000")
                .flag("--max-txn-ops", "64")
                .flag("--quota-backend-bytes", "2000000")
                .flag("--auto-compaction-mode", "periodic")
                .flag("--auto-compaction-retention", "1s")
                .start();
        bad.addUser("other", "secret", "/other/");
    }

    @AfterAll
    void stop() {
        bad.close();
        good.close();
    }

    @Test
    void doctor_serverAsItShouldBe_findsNoProblemAndLeavesNothing() throws InterruptedException {
        Findings found = Findings.of(good.uri("app"))
                .status(0)
                .has("ok", "servers", "all servers of the URI serve (1)")
                .has("ok", "version", "etcd 3.")
                .has("ok", "timings", "the shortest lease lives for 2 s")
                .has("ok", "alarms")
                .has("ok", "permissions", "read and write below /app/")
                .has("ok", "requests", "1400000 bytes")
                .has("ok", "transactions")
                .has("ok", "database", "a quota of 2048.0 MiB")
                .has("ok", "compaction")
                .has("ok", "clock");
        assertThat(found.wrong())
                .extracting(each -> each.substring(0, each.indexOf(':')))
                .containsExactly("warning cluster");
        assertThat(good.keys("/app/")).isEmpty();
        assertThat(good.leases()).isEmpty();

        try (Coordinator baton = Coordinator.connect(good.uri("app"))) {
            List<CompletableFuture<?>> writes = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                writes.add(baton.transactAsync(List.of(), List.of(Op.put(new RecordKey("stock", "n" + i % 10), "x"))));
            }
            CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).join();
        }
        Findings.of(good.uri("app"))
                .status(0)
                .has("warning", "compaction", "keeps all of 1", "--auto-compaction-mode=periodic");
    }

    @Test
    @Tag("faketime")
    void doctor_clockAnHourAway_isAWarning() throws InterruptedException {
        Findings.anHourAhead(directory, good.uri("app"))
                .status(0)
                .has("warning", "clock", "the clock of 127.0.0.1:" + good.port(), " behind this machine's", "NTP");
    }

    @Test
    void doctor_metricsElsewhere_areUnknown() {
        Findings.of(good.uri("app"), "--admin-port", "1")
                .status(0)
                .has("unknown", "database", "does not tell its quota")
                .has("unknown", "compaction");
    }

    @Test
    void doctor_limitsAndPermissions_areProblemsAndTimingsAWarning() throws IOException {
        String root = as(LocalEtcd.ROOT, LocalEtcd.ROOT_PASSWORD, "app");
        Findings.of(bad.uri("app"))
                .status(1)
                .has("problem", "permissions", "this client may not read below /app/", "name a user: BATON_ETCD_USER");
        for (String command : List.of("doctor", "ls")) {
            Captured refused = Captured.run(command, "--connect", as("other", "wrong", "app"));
            assertThat(refused.status()).as(refused.out()).isEqualTo(69);
            assertThat(refused.err())
                    .contains("etcd refuses the user 'other' or its password")
                    .hasLineCount(1);
        }
        Findings.of(as("other", "secret", "app"))
                .status(1)
                .has("problem", "permissions", "read below /app/", "grant-permission");
        bad.addUser("partly", "secret", "/partly/locks/");
        Findings partly = Findings.of(as("partly", "secret", "partly"))
                .status(1)
                .has("problem", "permissions", "read below /partly/.sessions/", "read below /partly/baton.nodes/");
        assertThat(partly.wrong()).noneMatch(each -> each.contains("/partly/locks/"));
        Findings.of(as("other", "secret", "other")).has("ok", "permissions", "read and write below /other/");
        ownKeysOnly();
        Findings.of(root)
                .status(1)
                .has("ok", "permissions")
                .has("warning", "timings", "the shortest lease lives for 15 s", "they get more")
                .has("problem", "requests", "175000 bytes, and not of 350000", "--max-request-bytes")
                .has("problem", "transactions", "--max-txn-ops");
        Findings.of(root, "--ttl", "20s").has("warning", "timings", "may be lost while another leader is elected");

        bad.ctl().run("member", "add", "next", "--learner", "--peer-urls", "http://127.0.0.1:1");
        Findings.of(root).has("warning", "cluster", "a member is a learner");

        await().atMost(30, SECONDS).untilAsserted(() -> {
            bad.ctl().run("put", "/other/x", "1");
            Findings.of(root).has("warning", "compaction", "compacts its history every ");
        });
        fill();
        Findings.of(root)
                .status(1)
                .has("warning", "database", "when that is reached, writes are refused")
                .has("problem", "alarms", "NOSPACE", "etcdctl alarm disarm");
    }

    @Test
    void doctor_clusterThatLosesItsMembers_isGoodThenWithoutLeader() {
        try (EtcdCluster cluster = EtcdCluster.start()) {
            Findings three = Findings.of(cluster.uri("app"))
                    .status(0)
                    .has("ok", "servers", "all servers of the URI serve (3)")
                    .has("ok", "cluster", "3 members: it works while 1 of them is down");
            assertThat(three.wrong()).isEmpty();
            Findings.of(cluster.uriOf(1, "app"))
                    .has("warning", "cluster", "the URI names 1 of the cluster's 3 members");

            cluster.kill(1);
            cluster.kill(2);
            await().atMost(30, SECONDS)
                    .untilAsserted(() -> Findings.of(cluster.uri("app"), "--timeout", "2s")
                            .status(1)
                            .has("warning", "servers", "refuses connections")
                            .has("problem", "leader", "knows no leader")
                            .has("problem", "quorum", "no server of the URI answers a read"));
            cluster.kill(3);
            Captured dead = Captured.run("doctor", "--connect", cluster.uri("app"), "--timeout", "2s");
            assertThat(dead.status()).isEqualTo(69);
            assertThat(dead.out()).isEmpty();
            assertThat(dead.err())
                    .startsWith("baton: no contact with etcd://")
                    .contains("refuses connections")
                    .hasLineCount(1);
        }
    }

    @Test
    void doctor_clusterOfAnother_isNoticedAndItsGrowthAndCorruption() throws Exception {
        try (LocalEtcd other = LocalEtcd.builder().oldest().start()) {
            Findings found = Findings.of(with(good.uri("app"), other.port()))
                    .status(1)
                    .has("problem", "servers", "belong to different clusters");
            if (EtcdBinaries.all().size() > 1) {
                found.has("warning", "version", "different versions: " + other.version());
            }

            int port = Loopback.freePort();
            String peer = "http://127.0.0.1:" + Loopback.freePort();
            String added = other.ctl().run("member", "add", "next", "--learner", "--peer-urls", peer);
            Process next = learner(peer, port, added);
            try {
                await().atMost(60, SECONDS)
                        .untilAsserted(() -> Findings.of(with(other.uri("app"), port))
                                .has("warning", "learner", "127.0.0.1:" + port + " is a learner: it refuses clients")
                                .has("warning", "cluster", "a member is a learner and does not vote: next"));
                String id = added.replaceAll("(?s)^Member +(\\w+) .*", "$1");
                await().atMost(60, SECONDS)
                        .until(() ->
                                other.ctl().attempt("member", "promote", id).isPresent());
                Findings.of(with(other.uri("app"), port)).has("warning", "cluster", "two members");

                alarm(other, "CORRUPT");
                Findings.of(other.uri("app"))
                        .status(1)
                        .has("problem", "alarms", "CORRUPT: a member's data differs from that of the others")
                        .has("problem", "writes", "a write failed: etcdserver: corrupt cluster")
                        .has("unknown", "timings")
                        .has("unknown", "requests");
            } finally {
                next.destroyForcibly().waitFor();
            }
        }
    }

    /** A user who may do one thing after the other of what doctor finds to be refused. */
    private void ownKeysOnly() throws IOException {
        bad.addUser("own", "secret", "/own/locks/");
        String uri = as("own", "secret", "own");
        String refused = Findings.of(uri).status(1).wrong().stream()
                .filter(each -> each.startsWith("problem permissions"))
                .findFirst()
                .orElseThrow();
        assertThat(refused).contains("read below /own/rwlocks/").contains("read below /own/baton.questions/");
        List<String> branches = Pattern.compile("read below (/own/\\S+/)")
                .matcher(refused)
                .results()
                .map(each -> each.group(1))
                .toList();
        for (String branch : branches) {
            // One of them, as each look takes a while.
            if (branch.endsWith("/baton.questions/")) {
                Findings.of(uri).status(1).has("problem", "permissions", "may not read below " + branch);
            }
            bad.ctl().run("role", "grant-permission", "--prefix=true", "own", "readwrite", branch);
        }
        Findings.of(uri).has("warning", "permissions", "below /own/, but not everything there");
    }

    private static String with(String uri, int port) {
        return uri.replace("etcd://", "etcd://127.0.0.1:" + port + ",");
    }

    /** Starts a learner; {@code added} is what etcdctl said of it. */
    private Process learner(String peer, int port, String added) throws IOException {
        String clients = "http://127.0.0.1:" + port;
        return new ProcessBuilder(
                        EtcdBinaries.oldest().etcd().toString(),
                        "--name=next",
                        "--data-dir=" + directory.resolve("next"),
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--listen-client-urls=" + clients,
                        "--advertise-client-urls=" + clients,
                        "--initial-cluster=" + added.replaceAll("(?s).*ETCD_INITIAL_CLUSTER=\"([^\"]*)\".*", "$1"),
                        "--initial-cluster-state=existing")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("next.log").toFile())
                .start();
    }

    /** Raises an alarm, as a member does that finds such trouble. */
    private static void alarm(LocalEtcd etcd, String alarm) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(etcd.endpoint() + "/v3/maintenance/alarm"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"ACTIVATE\",\"alarm\":\"" + alarm + "\"}"))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    /** Writes until the database is full. */
    private void fill() {
        String large = "x".repeat(100_000);
        for (int i = 0; i < 100; i++) {
            if (bad.ctl().attempt("put", "/other/" + i, large).isEmpty()) {
                return;
            }
        }
        throw new AssertionError("the database is never full");
    }

    private String as(String user, String password, String root) throws IOException {
        Path settings = directory.resolve(user);
        Files.writeString(settings, "user=" + user + "\npassword=" + password + "\n");
        return bad.uri(root) + "?config=" + settings;
    }
}
