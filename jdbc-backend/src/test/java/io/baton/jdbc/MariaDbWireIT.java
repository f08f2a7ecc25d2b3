package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Op;
import io.baton.RecordKey;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Stepped;
import io.baton.testkit.database.MariaDbExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
class MariaDbWireIT extends WireContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    String uri() {
        return mariadb.uri();
    }

    @Override
    void crash() {
        mariadb.server().kill();
        mariadb.server().restart();
    }

    @Override
    List<String> slowDown(String table) {
        return List.of("create trigger dawdle before update on " + table + " for each row do sleep(0.4)");
    }

    @Override
    String longestIdle() {
        return "select 1000 * @@idle_transaction_timeout";
    }

    @Override
    String longWait() {
        return "(select sleep(30)) s";
    }

    @Override
    String speedUp(String table) {
        return "drop trigger dawdle";
    }

    @Test
    void hint_comesOnceTheEntryHasLeft() throws Exception {
        WireClient owner = client();
        Standing entry = owner.join(LINE);
        try (Connection waiting = DriverManager.getConnection(uri())) {
            waiting.setAutoCommit(false);
            assertThat(hinted(waiting, entry, Duration.ZERO)).isFalse();
            assertThat(owner.leave(LINE, entry).busy()).isEmpty();
            assertThat(hinted(waiting, entry, Duration.ofSeconds(60))).isTrue();
            // Whoever had the hint does not keep it.
            try (Connection another = DriverManager.getConnection(uri())) {
                another.setAutoCommit(false);
                assertThat(hinted(another, entry, Duration.ZERO)).isTrue();
            }
        }
    }

    @Test
    void hint_ofAnOwnerOnAnotherConnection_isMissed_andTheNextIsClearedAllTheSame() {
        WireClient owner = client();
        WireClient next = client();
        Standing entry = owner.join(LINE);
        Standing waiting = next.join(LINE);
        assertThat(owner.attach(false).own()).extracting(Standing::name).containsExactly(entry.name());
        assertThat(owner.leave(LINE, entry).busy()).isEmpty();
        eventually(() -> assertThat(next.events).contains("cleared " + waiting.name() + " " + waiting.token()));
    }

    /** Two renewals in one millisecond write the same. The driver may be told to count what has changed. */
    @Test
    void renewal_changesNothingAndTheDriverCountsChanges_isOne() throws Exception {
        WireClient client = client(uri() + "&useAffectedRows=true");
        sql("create trigger still before update on baton_session for each row"
                + " set new.beat_c = old.beat_c, new.beat_w = old.beat_w");
        try {
            Standing entry = client.join(LINE);

            assertThat(client.look(entry).clear()).isTrue();
            assertThat(client.leave(LINE, entry).busy()).isEmpty();
        } finally {
            sql("drop trigger still");
        }
        assertThat(client.events).isEmpty();
    }

    /** A statement's time may be set; the server then computes with it as with its wall clock. */
    @Test
    void marker_wallClockIsSet_staysTheSame() throws Exception {
        String marker = "select " + new MariaDbDialect(false).server();
        try (Connection connection = DriverManager.getConnection(uri());
                Statement statement = connection.createStatement()) {
            String before = only(statement, marker);
            for (int offset : List.of(-3_600, 3_600, 90_000)) {
                statement.execute("set timestamp = unix_timestamp(sysdate()) + " + offset);

                assertThat(only(statement, marker)).isEqualTo(before);
            }
        }
    }

    private static String only(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Since MariaDB 12 the server answers a word, which is neither a number nor a boolean. */
    @Test
    void readOnly_numbersAndWords_isNotFitAndNoPrimary() throws Exception {
        for (String on : List.of("1", "true", "'ON'", "'NO_LOCK'", "'NO_LOCK_NO_ADMIN'")) {
            assertThat(ask("select " + MariaDbDialect.isOn(on)).flag(0)).as(on).isTrue();
        }
        for (String off : List.of("0", "false", "'OFF'")) {
            assertThat(ask("select " + MariaDbDialect.isOn(off)).flag(0))
                    .as(off)
                    .isFalse();
        }
        assertThat(inspected()).isEmpty();
        assertThat(ask(OperatorQueries.MARIADB.role()).text(0)).isEqualTo("primary");
        sql("set global read_only = 1");
        try {
            assertThat(inspected().orElseThrow().why()).contains("read-only");
            assertThat(ask(OperatorQueries.MARIADB.role()).text(0)).isEqualTo("read-only");
        } finally {
            sql("set global read_only = 0");
        }
    }

    /** The user of this test may write to a server that is read-only. */
    @Test
    void renewal_serverHasBecomeReadOnly_endsTheContact() throws Exception {
        endsContact("set global read_only = 1", "set global read_only = 0");

        // The next primary adds such rows, too, and a replica that has them cannot repeat that.
        assertThat(number("select count(*) from baton_line")).isZero();
        assertThat(number("select count(*) from baton_entry")).isZero();
    }

    /** It may be a replica that accepts writes, and have missed what the primary meanwhile has written. */
    @Test
    void renewal_serverWasToldToFollowAnother_endsTheContact() throws Exception {
        endsContact("change master to master_host = '127.0.0.1'", "reset slave all");
    }

    /** A heartbeat that believes in an earlier look makes none of its own, and so the next one does not believe in it. */
    @Test
    void renewal_serverWasToldToFollowAnotherAndHeartbeatsGoOn_endsTheContact() throws Exception {
        WireClient client = client();
        sql("change master to master_host = '127.0.0.1'");
        try {
            eventually(() -> {
                CompletableFuture<Beaten> ignored =
                        client.send(reply -> client.wire().beat(List.of(), List.of(), reply));
                assertThat(client.events).anyMatch(event -> event.contains("a replica"));
            });
        } finally {
            sql("reset slave all");
        }
    }

    /** It is the status of all connections: with 500 clients, their heartbeats alone took most of a processor. */
    @Test
    void renewal_serversNameWasLookedAtJustNow_readsNoStatus() throws Exception {
        WireClient client = client();
        Sql sql = new Sql(new MariaDbDialect(false));
        try (Connection connection = DriverManager.getConnection(uri())) {
            sql("update baton_store set w = 0");
            assertThat(statusRead(connection, sql, client.session)).isPositive();
            eventually(() -> {
                new Flight().add(sql.tick).oneByOne(connection, false);
                assertThat(statusRead(connection, sql, client.session)).isZero();
            });
        }
    }

    /** How many rows of the server's status a renewal has put into temporary tables. */
    private static long statusRead(Connection connection, Sql sql, String session) throws SQLException {
        String written = "show session status like 'Handler_tmp_write'";
        List<Flight.Answer> answers = new Flight()
                .add(written)
                .add(sql.renew, session, 1L)
                .add(written)
                .oneByOne(connection, false);
        assertThat(answers.get(1).changed()).isEqualTo(1);
        return Long.parseLong(answers.get(2).first().text(1))
                - Long.parseLong(answers.get(0).first().text(1));
    }

    private void endsContact(String change, String back) throws Exception {
        WireClient beating = client();
        WireClient joining = client();
        sql(change, "update baton_store set w = w - " + 2 * Sql.NAMED);
        try {
            CompletableFuture<Beaten> beat =
                    beating.send(reply -> beating.wire().beat(List.of(), List.of(), reply));
            CompletableFuture<Stepped> join = joining.joinAsync(LINE);

            for (WireClient each : List.of(beating, joining)) {
                eventually(() -> assertThat(each.events)
                        .anyMatch(event -> event.startsWith("disconnected") && event.contains("a replica")));
            }
            assertThat(beat).isNotDone();
            assertThat(join).isNotDone();
        } finally {
            sql(back);
        }
    }

    /** 400 transactions met 638 deadlocks when each took a shared lock of the tree before it took its own. */
    @Test
    void transact_manyInOneTree_meetNoDeadlock() throws Exception {
        List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(client());
        }
        long before = deadlocks();
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            long n = i;
            for (WireClient each : clients) {
                Op put = Op.put(new RecordKey("stock", each.session), "v" + n);
                answers.add(each.send(reply -> each.wire().transact(n, 0, List.of(), List.of(put), List.of(), reply)));
            }
        }
        for (CompletableFuture<Boolean> answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(deadlocks() - before).isZero();
    }

    private long deadlocks() throws SQLException {
        return ask("select cast(variable_value as signed) from information_schema.global_status"
                        + " where variable_name = 'INNODB_DEADLOCKS'")
                .number(0);
    }

    private Flight.Row ask(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri())) {
            return new Flight().add(query).oneByOne(connection, false).get(0).first();
        }
    }

    private Optional<SqlDialect.Unfit> inspected() throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri())) {
            return new MariaDbDialect(false).inspect(connection);
        }
    }

    private boolean hinted(Connection connection, Standing entry, Duration most) throws SQLException {
        return new StoreSteps(new MariaDbDialect(false), "other", WireClient.TTL, "test")
                .looks
                .look(connection, List.of(), List.of(), Optional.empty(), Optional.of(entry.name()), most)
                .hinted();
    }
}
