package io.baton.cli.doctor;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.cli.Captured;
import io.baton.config.ConfigStore;
import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.database.LocalPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code baton ls}, {@code status} and {@code doctor} on databases that are as they should be, and on others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbcInspectionIT {

    private static final String LONG = "l".repeat(600);

    private LocalPostgres postgres;
    private LocalMariaDb mariadb;

    private LocalPostgres postgres() {
        if (postgres == null) {
            postgres = LocalPostgres.start();
        }
        return postgres;
    }

    private LocalMariaDb mariadb() {
        if (mariadb == null) {
            mariadb = LocalMariaDb.start();
        }
        return mariadb;
    }

    @AfterAll
    void stop() {
        if (postgres != null) {
            postgres.close();
        }
        if (mariadb != null) {
            mariadb.close();
        }
    }

    @Test
    @Tag("postgres")
    void postgres_asItShouldBe_isShown() throws Exception {
        shown(postgres().uri("/shown"), "PostgreSQL 1", "LISTEN/NOTIFY");
    }

    @Test
    @Tag("mariadb")
    void mariadb_asItShouldBe_isShown() throws Exception {
        shown(mariadb().uri("/shown"), "MariaDB 1", "look every 5 to 250 ms");
    }

    private static void shown(String uri, String version, String wakeUps) throws Exception {
        assertThat(ls(uri).out()).isEqualTo("nothing below " + uri + "\n");
        Findings.of(uri).status(0).has("ok", "tables", "they are missing");

        try (Coordinator first = connect(uri, "first");
                Coordinator second = connect(uri, "second");
                Hold hold = first.lock("a/b").acquire();
                Hold longName = first.lock(LONG).acquire();
                Hold reader = first.readWriteLock("prices").read().acquire();
                Hold permits = first.semaphore("uploads", 3).acquire(2)) {
            assertThat(List.of(longName.remaining(), reader.remaining(), permits.remaining()))
                    .allSatisfy(left -> assertThat(left).isPositive());
            for (String each : List.of("n", "n-", "ü")) {
                CompletableFuture<Hold> other = second.lock(each).acquireAsync();
                assertThat(other.get(30, SECONDS).token()).isPositive();
            }
            CompletableFuture<Hold> waiting = second.lock("a/b").acquireAsync();
            ConfigStore.of(first).edit().put("timeout", "5s").commit();
            ConfigStore.of(first).edit().put("retries", "3").commit();
            await().atMost(30, SECONDS)
                    .until(() -> json(ls(uri, "--json")).at("/locks/1/waiting").asLong() == 1);

            JsonNode all = json(ls(uri, "--json"));
            // Of the long name only a hash is stored.
            assertThat(all.at("/locks").findValuesAsText("name")).containsExactly("ü", "a/b", "n", "n-");
            assertThat(all.at("/locks/1/holder/client").asText()).isEqualTo("first");
            assertThat(all.at("/locks/1/holder/token").asLong()).isEqualTo(hold.token());
            assertThat(all.at("/rwlocks/0/holder/claim").asText()).isEqualTo("shared");
            assertThat(all.at("/semaphores").toString())
                    .isEqualTo("[{\"name\":\"uploads\",\"holders\":1,\"waiting\":0}]");
            assertThat(all.at("/configurations/0/space").asText()).isEqualTo("config");
            assertThat(all.at("/configurations/0/change").asLong()).isEqualTo(2);
            assertThat(all.at("/configurations/0/keys").asLong()).isEqualTo(2);
            assertThat(pages(uri)).containsExactly("ü", "a/b", "n", "n-");

            JsonNode status = json(Captured.run("status", "--json", "--connect", uri));
            assertThat(status.at("/servers/0/role").asText()).isEqualTo("primary");
            assertThat(status.at("/servers/0/version").asText()).startsWith(version);
            assertThat(status.at("/session/shortestMillis").asLong()).isEqualTo(2_000);
            assertThat(status.at("/session/marginMillis").asLong()).isEqualTo(150);
            assertThat(status.at("/clock/of").asText()).startsWith("127.0.0.1:");

            Findings.of(uri, "--ttl", "1s")
                    .status(0)
                    .has("ok", "servers", "is a primary")
                    .has("ok", "version", version)
                    .has("ok", "tables", "version 1")
                    .has("ok", "permissions")
                    .has("ok", "incarnation", "locks are granted")
                    .has("ok", "sizes", "MiB in baton_")
                    .has("ok", "connections", "2 for each of 2 sessions")
                    .has("ok", "transactions")
                    .has("ok", "wake-ups", wakeUps)
                    .has("ok", "settings", "what is acknowledged survives a crash")
                    .has("warning", "timings", "ask for a ttl of 1 s, and get 2 s")
                    .has("ok", "clock");
            waiting.cancel(true);
        }
    }

    private static List<String> pages(String uri) throws Exception {
        List<String> seen = new ArrayList<>();
        List<String> after = List.of();
        while (true) {
            List<String> line = new ArrayList<>(List.of("--json", "--limit", "1"));
            line.addAll(after);
            line.add("locks");
            JsonNode page = json(ls(uri, line.toArray(String[]::new)));
            seen.addAll(page.at("/locks").findValuesAsText("name"));
            if (!page.at("/more").has("locks")) {
                return seen;
            }
            after = List.of("--after", page.at("/more/locks").asText());
        }
    }

    @Test
    @Tag("postgres")
    void postgres_notAsItShouldBe_isSaid() throws Exception {
        String uri = postgres().uri("/wrong");
        connect(uri, "first").close();
        sql(
                uri,
                "create user reader connection limit 2",
                "grant select on all tables in schema public to reader",
                "grant insert, update, delete on baton_session to reader");
        String reader = uri.replace("user=postgres", "user=reader");
        Findings.of(reader)
                .status(1)
                .has(
                        "problem",
                        "permissions",
                        "insert into baton_entry",
                        "nor delete from baton_line",
                        "grant its user")
                .has("warning", "connections", "the user reader has 1 of at most 2 connections", "raise the limit");

        sql(uri, "update baton_store set schema_version = 2");
        Findings.of(uri).status(1).has("problem", "tables", "version 2", "newer release");
        Captured newer = ls(uri);
        assertThat(newer.status()).isEqualTo(69);
        assertThat(newer.err()).contains("version 2", "newer release").hasLineCount(1);

        String empty = postgres().uri("/empty");
        Findings.of(empty + "&baton.schema=verify").status(1).has("problem", "tables", "missing", "postgresql.sql");
        sql(
                empty,
                "alter database " + empty.replaceFirst(".*/(.*)\\?.*", "$1")
                        + " set default_transaction_read_only = on");
        Findings.of(empty)
                .status(1)
                .has("ok", "servers", "is a read-only")
                .has("problem", "primary", "no lock can be acquired", "name the primary");
    }

    @Test
    @Tag("postgres")
    void postgres_mayLoseWhatItAcknowledges_isAProblemUnlessThatIsDeclared() throws Exception {
        String uri = postgres().uri("/lossy");
        sql(uri, "alter system set full_page_writes = off");
        sql(uri, "select pg_reload_conf()");
        try {
            await().atMost(30, SECONDS)
                    .untilAsserted(() -> Findings.of(uri)
                            .status(1)
                            .has(
                                    "problem",
                                    "settings",
                                    "full_page_writes is off",
                                    "baton.acknowledged=latest-may-be-lost"));
            String declared = uri + "&baton.acknowledged=latest-may-be-lost";
            assertThat(Captured.run("config", "set", "timeout=5s", "--connect", uri)
                            .err())
                    .contains("full_page_writes is off");
            assertThat(Captured.run("config", "set", "timeout=5s", "--connect", declared)
                            .status())
                    .isZero();
            Findings.of(declared).status(0).has("warning", "settings", "full_page_writes is off", "as is declared");
        } finally {
            sql(uri, "alter system reset all");
            sql(uri, "select pg_reload_conf()");
        }
    }

    @Test
    @Tag("postgres")
    void postgres_crashedOrAway_isSaid() throws Exception {
        String uri = postgres().uri("/crashed");
        connect(uri, "first").close();
        postgres().restart();
        Findings.of(uri).status(0).has("warning", "incarnation", "nobody is newly granted a lock for 10 s");
        String two = uri.replace("127.0.0.1", "127.0.0.1:1,127.0.0.1");
        Findings.of(two)
                .status(0)
                .has("warning", "servers", "127.0.0.1:1", "take it out of the URI")
                .has("ok", "servers", "is a primary");

        String away = uri.replaceFirst(":\\d+/", ":1/");
        for (String command : List.of("ls", "doctor")) {
            Captured run = Captured.run(command, "--connect", away);
            assertThat(run.status()).isEqualTo(69);
            assertThat(run.err())
                    .contains("no contact with jdbc:postgresql://127.0.0.1:1/")
                    .hasLineCount(1);
        }
        Captured unknown = ls(uri.replace("user=postgres", "user=stranger"));
        assertThat(unknown.status()).isEqualTo(69);
        assertThat(unknown.err()).contains("refuses the login", "stranger").hasLineCount(1);
    }

    @Test
    @Tag("mariadb")
    void mariadb_notAsItShouldBe_isSaid() throws Exception {
        String uri = mariadb().uri("/wrong");
        connect(uri, "first").close();
        mariadb().restart();
        Findings.of(uri).status(0).has("warning", "incarnation", "nobody is newly granted a lock for 10 s");
        sql(uri, "set global read_only = 1");
        try {
            Findings.of(uri)
                    .status(1)
                    .has("ok", "servers", "is a read-only")
                    .has("problem", "server", "read-only, as replicas are");
            assertThat(ls(uri).status()).isZero();
        } finally {
            sql(uri, "set global read_only = 0");
        }
        sql(
                uri,
                "create user reader@'%'",
                "grant select on " + uri.replaceFirst(".*/(.*)\\?.*", "$1") + ".* to reader@'%'");
        Findings.of(uri.replace("user=root", "user=reader"))
                .status(1)
                .has("problem", "permissions", "insert into baton_entry", "nor delete from baton_line")
                .has("unknown", "transactions", "does not tell");
    }

    private static void sql(String uri, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static Coordinator connect(String uri, String client) throws InterruptedException {
        return Coordinator.connect(
                uri,
                CoordinatorOptions.builder()
                        .client(client)
                        .ttl(Duration.ofSeconds(10))
                        .build());
    }

    private static Captured ls(String uri, String... args) {
        List<String> line = new ArrayList<>(List.of("ls", "--connect", uri));
        line.addAll(List.of(args));
        return Captured.run(line.toArray(String[]::new));
    }

    private static JsonNode json(Captured run) throws Exception {
        assertThat(run.status()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }
}
