package io.baton.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** PostgreSQL 12 and newer. */
final class PostgresDialect implements SqlDialect {

    private static final String WALL = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public String script() {
        return "postgresql.sql";
    }

    @Override
    public String wall() {
        return WALL;
    }

    @Override
    public String random() {
        return "random()";
    }

    /** Lets beats, which do not change the key, pass. */
    @Override
    public String keepSession() {
        return " for key share";
    }

    @Override
    public String share() {
        return " for share";
    }

    @Override
    public String insertIgnore() {
        return "insert into";
    }

    @Override
    public String unlessThere() {
        return " on conflict do nothing";
    }

    @Override
    public String unlessThere(String column) {
        return unlessThere();
    }

    @Override
    public String raiseLine() {
        return "insert into baton_line (path, seq) select ?, " + Sql.startOfLine(this)
                + " where exists (select 1 from baton_session where sid = ? and epoch = ?)"
                + " on conflict (path) do update set seq = baton_line.seq + 1";
    }

    @Override
    public String putRecord() {
        return "insert into baton_record (tree, name, value, rev) values (?, ?, ?, ?)"
                + " on conflict (tree, name) do update set value = excluded.value, rev = excluded.rev";
    }

    @Override
    public String concat(String... parts) {
        return String.join(" || ", parts);
    }

    @Override
    public void prepare(Connection connection, String sid, Duration ttl) throws SQLException, UnfitDatabaseException {
        connection.setAutoCommit(true);
        mark(connection, sid);
        try (Statement statement = connection.createStatement()) {
            // A frozen client must not keep the lock of a line, so none is idle in a transaction for long.
            statement.execute("set session characteristics as transaction isolation level read committed"
                    + "; set lock_timeout = " + Sql.share(ttl, 8, 250)
                    + "; set statement_timeout = " + Sql.share(ttl, 4, 1_000)
                    + "; set idle_in_transaction_session_timeout = " + Sql.longestIdle(ttl)
                    + "; set synchronous_commit = off"
                    // A connection may be idle for as long as a lock is held, and changes may be long: servers of newer
                    // versions may end both. A client that has vanished is noticed within a minute.
                    + "; select set_config(name, '0', false) from pg_settings"
                    + " where name in ('idle_session_timeout', 'transaction_timeout')"
                    + "; set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3");
        }
        connection.setAutoCommit(false);
    }

    /**
     * Marks the connection, and looks for the mark in another transaction. A pooler that hands each transaction to another
     * connection would give settings of a session to other programs; nobody else reads this one.
     */
    private static void mark(Connection connection, String sid) throws SQLException, UnfitDatabaseException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set baton.session = '" + sid + "'");
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select coalesce(current_setting('baton.session', true) = '" + sid + "', false)")) {
            row.next();
            if (!row.getBoolean(1)) {
                throw new UnfitDatabaseException(Sql.POOLER, false);
            }
        }
    }

    @Override
    public Optional<Unfit> inspect(Connection connection) throws SQLException {
        Flight.Row row = execute(
                        connection,
                        new Flight()
                                .add(
                                        "select pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on',"
                                                + " current_setting('baton.session', true) is not null"),
                        true)
                .get(0)
                .first();
        if (row.flag(0) || row.flag(1)) {
            return Optional.of(new Unfit(
                    row.flag(0)
                            ? "the server is a standby, which cannot write: name the primary, or all servers and targetServerType=primary"
                            : "the server is read-only",
                    true));
        }
        return row.flag(2) ? Optional.empty() : Optional.of(new Unfit(Sql.POOLER, false));
    }

    /** What is written under {@link #durable} waits for the disk whatever {@code synchronous_commit} is. */
    @Override
    public String lossy() {
        return "select name, setting from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off'"
                + " order by name";
    }

    /** A primary becomes a standby by a restart only. */
    @Override
    public Optional<String> accepts() {
        return Optional.empty();
    }

    @Override
    public String server() {
        // Its start, as it may have been stopped in good order while another one was the primary, or been copied.
        return "(select system_identifier || ' ' || extract(epoch from pg_postmaster_start_time()) from pg_control_system())";
    }

    @Override
    public List<Flight.Answer> execute(Connection connection, Flight flight, boolean commit) throws SQLException {
        return flight.together(connection, commit);
    }

    @Override
    public Optional<String> durable() {
        return Optional.of("set local synchronous_commit = on");
    }

    @Override
    public List<String> unhurried(String statement) {
        return List.of("set local statement_timeout = 0", statement);
    }

    @Override
    public String lockSchema() {
        return "select pg_advisory_lock(4712640512)";
    }

    @Override
    public String unlockSchema() {
        return "select pg_advisory_unlock(4712640512)";
    }

    @Override
    public OperatorQueries operatorQueries() {
        return OperatorQueries.POSTGRES;
    }

    @Override
    public Fault classify(SQLException error) {
        String state = error.getSQLState() == null ? "08000" : error.getSQLState();
        return switch (state) {
            case "40001", "40P01", "55P03", "57014" -> Fault.REPEAT;
            // Read-only since a moment ago; ended by an administrator, a crash or a start; a limit of time that ends
            // the connection.
            case "25006", "57P01", "57P02", "57P03", "25P03", "25P04", "57P05" -> Fault.BROKEN;
            default -> state.startsWith("08") ? Fault.BROKEN : Fault.REFUSED;
        };
    }

    @Override
    public boolean isMissingRight(SQLException error) {
        return "42501".equals(error.getSQLState());
    }

    @Override
    public boolean isMissingPlace(SQLException error) {
        return "3F000".equals(error.getSQLState());
    }

    @Override
    public boolean isOutOfTime(SQLException error) {
        return "57014".equals(error.getSQLState());
    }

    @Override
    public boolean isOutOfPatience(SQLException error) {
        return "55P03".equals(error.getSQLState());
    }

    @Override
    public Optional<Hint> hint() {
        return Optional.empty();
    }

    @Override
    public Optional<Pushes> pushes(Connection connection, String sid) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        execute(connection, new Flight().add("listen \"baton_" + sid + "\""), true);
        return Optional.of(most -> {
            PGNotification[] heard = postgres.getNotifications((int) most.toMillis());
            return heard == null
                    ? List.of()
                    : Arrays.stream(heard).map(PGNotification::getParameter).toList();
        });
    }

    @Override
    public Optional<String> listens() {
        return Optional.of("select coalesce(current_setting('baton.session', true) = ?, false)"
                + " and exists (select 1 from pg_listening_channels() c where c = 'baton_' || ?)");
    }

    @Override
    public Optional<String> push(String sid, String text) {
        return Optional.of("pg_notify('baton_' || " + sid + ", " + text + ")");
    }
}
