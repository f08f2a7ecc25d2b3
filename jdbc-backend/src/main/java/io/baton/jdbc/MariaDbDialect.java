package io.baton.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** MariaDB 10.6 and newer. MySQL 8 should work with the same statements; nothing has been tested with it. */
final class MariaDbDialect implements SqlDialect {

    private static final String WALL = "cast(unix_timestamp(sysdate(3)) * 1000 as signed)";

    /** Whether the server refuses writes of some or all users. */
    static final String READ_ONLY = isOn("@@global.read_only");

    /** What the server's name begins with: its place, and the part of its UUIDs that each start draws. */
    private static final String RUN = "@@server_id, '@', @@hostname, ':', @@port, ' ', right(uuid(), 17), ' '";

    /** For what the driver puts around the statements. */
    private static final int ROOM = 1_024;

    /** The state of values that are too long. */
    private static final String TOO_LARGE = "22001";

    private final boolean mysql;

    /** Whether the connection takes several statements in one message. */
    private volatile boolean together;

    /** The server ends the connection at a larger message. */
    private volatile long largestMessage = Long.MAX_VALUE;

    MariaDbDialect(boolean mysql) {
        this.mysql = mysql;
    }

    @Override
    public String product() {
        return mysql ? "MySQL" : "MariaDB";
    }

    @Override
    public String script() {
        return "mariadb.sql";
    }

    @Override
    public String wall() {
        return WALL;
    }

    @Override
    public String random() {
        return "rand()";
    }

    @Override
    public String keepSession() {
        return " lock in share mode";
    }

    @Override
    public String share() {
        return " lock in share mode";
    }

    @Override
    public String insertIgnore() {
        return "insert ignore into";
    }

    @Override
    public String unlessThere() {
        return "";
    }

    /** What is ignored takes a shared lock of the row that is there, and keeps it. */
    @Override
    public String unlessThere(String column) {
        return " on duplicate key update " + column + " = " + column;
    }

    @Override
    public String raiseLine() {
        return "insert into baton_line (path, seq) select ?, " + Sql.startOfLine(this)
                + " from baton_session where sid = ? and epoch = ?" + Sql.accepted(this)
                + " on duplicate key update seq = baton_line.seq + 1";
    }

    @Override
    public String putRecord() {
        return "insert into baton_record (tree, name, value, rev) values (?, ?, ?, ?)"
                + " on duplicate key update value = values(value), rev = values(rev)";
    }

    @Override
    public String concat(String... parts) {
        return "concat(" + String.join(", ", parts) + ")";
    }

    @Override
    public void prepare(Connection connection, String sid, Duration ttl) throws SQLException {
        connection.setAutoCommit(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        try (Statement statement = connection.createStatement()) {
            // A frozen client must not keep the lock of a line, so none is idle in a transaction for long.
            statement.execute("set session time_zone = '+00:00'"
                    + ", sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"
                    + ", innodb_lock_wait_timeout = " + seconds(Sql.share(ttl, 8, 1_000))
                    + ", wait_timeout = 2000000"
                    + (mysql
                            ? ""
                            : ", max_statement_time = " + seconds(Sql.share(ttl, 4, 1_000))
                                    + ", idle_transaction_timeout = " + seconds(Sql.longestIdle(ttl))));
            try (ResultSet row = statement.executeQuery("select @@max_allowed_packet")) {
                row.next();
                largestMessage = row.getLong(1);
            }
        }
        connection.setAutoCommit(false);
        together = takesSeveral(connection);
    }

    /** Connections of an address do; those of a program's data source only if it is set up so. */
    private static boolean takesSeveral(Connection connection) throws SQLException {
        try {
            return new Flight()
                            .add("select 1")
                            .add("select 1")
                            .together(connection, true)
                            .size()
                    == 2;
        } catch (SQLException refused) {
            if (isConnection(refused)) {
                throw refused;
            }
            return false;
        }
    }

    private static long seconds(long millis) {
        return Math.max(1, (millis + 999) / 1_000);
    }

    /** An expression for a setting: until MariaDB 12 {@code read_only} is a number, and since then a word of several. */
    static String isOn(String setting) {
        return "concat(" + setting + ") not in ('0', 'OFF')";
    }

    @Override
    public Optional<Unfit> inspect(Connection connection) throws SQLException {
        String replicates = mysql
                ? "false"
                : "exists (select 1 from information_schema.global_status where variable_name = 'SLAVES_RUNNING'"
                        + " and variable_value <> '0')";
        Flight.Row role = execute(connection, new Flight().add("select " + READ_ONLY + ", " + replicates), true)
                .get(0)
                .first();
        if (role.flag(0)) {
            return Optional.of(new Unfit("the server is read-only, as replicas are: name the primary", true));
        }
        // What a primary writes would come over what this one has written since its promotion.
        if (role.flag(1)) {
            return Optional.of(new Unfit(
                    "the server repeats what another one writes: name the primary, or end the replication if it is this one",
                    true));
        }
        // Variables of Galera and of group replication, where the server has them.
        List<Flight.Row> several = execute(
                        connection,
                        new Flight()
                                .add(
                                        "show global variables where (variable_name = 'wsrep_on' and value = 'ON')"
                                                + " or (variable_name = 'group_replication_single_primary_mode' and value = 'OFF')"),
                        true)
                .get(0)
                .rows();
        return several.isEmpty()
                ? Optional.empty()
                : Optional.of(new Unfit(
                        "the server belongs to a cluster of several writers ("
                                + several.get(0).text(0) + "), where the locks of a row hold on one of them only",
                        false));
    }

    /**
     * With a binary log, a crash rolls back what that does not have: InnoDB writes its own log to the disk before that, and
     * not after it. The first value of the method of flushing that is named here skips all of it, until MariaDB 11.
     */
    @Override
    public String lossy() {
        return "select lower(variable_name), variable_value from "
                + (mysql ? "performance_schema" : "information_schema")
                + ".global_variables where (variable_name = 'innodb_flush_log_at_trx_commit'"
                + " and variable_value not in ('1', '3'))"
                + " or (variable_name = 'innodb_doublewrite' and variable_value in ('OFF', 'FALSE', '0', 'DETECT_ONLY'))"
                + " or (variable_name = 'innodb_flush_method' and variable_value in ('nosync', 'littlesync'))"
                + " or (variable_name = 'sync_binlog' and variable_value <> '1' and @@global.log_bin)"
                + " order by variable_name";
    }

    /** A user with enough rights may write all the same, so no error says that the server became a replica. */
    @Override
    public Optional<String> accepts() {
        return Optional.of("not (" + READ_ONLY + ") and exists (select 1 from baton_store b join baton_incarnation i"
                + " on i.history = b.history where b.id = 1 and locate(cast(concat(" + RUN
                + ") as binary), i.server) = 1)");
    }

    /**
     * Replication carries the marker, too, so a server that was the primary before may find its own there, without what
     * the primary after it has written. So the marker also names the run of the server, by its start and the sequence in
     * its UUIDs, and how often it has become a replica in this run. The start is the difference of two figures that one
     * reading of the wall clock gives, so that no step of that changes it. Binary, as a database's default collation may
     * be any.
     */
    @Override
    public String server() {
        String status = mysql ? "performance_schema" : "information_schema";
        return "cast(concat(" + RUN + ", (select concat(unix_timestamp(now()) - sum(if(variable_name = 'Uptime',"
                // Without a sign it is very large while the clock is set to before the start.
                + " cast(cast(variable_value as unsigned) as signed), 0)), ' ',"
                + " sum(if(variable_name = 'Uptime', 0, variable_value))) from " + status + ".global_status"
                + " where variable_name in ('Uptime', 'Com_change_master', 'Com_change_replication_source',"
                + " 'Com_start_slave', 'Com_slave_start', 'Com_start_all_slaves', 'Com_replica_start'))) as binary)";
    }

    @Override
    public List<Flight.Answer> execute(Connection connection, Flight flight, boolean commit) throws SQLException {
        long size = flight.quotedSize(together);
        if (size > largestMessage - ROOM) {
            throw new SQLException(
                    "it needs a message of " + size + " bytes, and the server's max_allowed_packet is " + largestMessage
                            + ": write less at a time, or raise that",
                    TOO_LARGE);
        }
        return together ? flight.together(connection, commit) : flight.oneByOne(connection, commit);
    }

    @Override
    public Optional<String> durable() {
        return Optional.empty();
    }

    @Override
    public List<String> unhurried(String statement) {
        return List.of(mysql ? statement : "set statement max_statement_time = 0 for " + statement);
    }

    @Override
    public String lockSchema() {
        return "select get_lock(concat('baton.', database()), 30)";
    }

    @Override
    public String unlockSchema() {
        return "select release_lock(concat('baton.', database()))";
    }

    @Override
    public OperatorQueries operatorQueries() {
        return OperatorQueries.MARIADB;
    }

    @Override
    public Fault classify(SQLException error) {
        return switch (error.getErrorCode()) {
            // Deadlock, lock wait, changed since the snapshot, locked, statement's time is over.
            case 1213, 1205, 1020, 3572, 1969, 3024 -> Fault.REPEAT;
            // The server ends, or has become read-only; the connection was killed or its transaction timed out.
            case 1053, 1290, 1836, 1927, 4031, 4166 -> Fault.BROKEN;
            default -> isConnection(error) ? Fault.BROKEN : Fault.REFUSED;
        };
    }

    @Override
    public boolean isMissingRight(SQLException error) {
        return error.getErrorCode() == 1142 || error.getErrorCode() == 1143;
    }

    @Override
    public boolean isMissingPlace(SQLException error) {
        return error.getErrorCode() == 1046;
    }

    @Override
    public boolean isOutOfTime(SQLException error) {
        return error.getErrorCode() == 1969 || error.getErrorCode() == 3024;
    }

    @Override
    public boolean isOutOfPatience(SQLException error) {
        return error.getErrorCode() == 1205;
    }

    private static boolean isConnection(SQLException error) {
        return error instanceof SQLNonTransientConnectionException
                || error instanceof SQLTransientConnectionException
                || error.getSQLState() == null
                || error.getSQLState().startsWith("08");
    }

    @Override
    public Optional<Hint> hint() {
        return Optional.of(new Hint("do get_lock(?, 0)", "do release_lock(?)", "select get_lock(?, ?)"));
    }

    @Override
    public Optional<Pushes> pushes(Connection connection, String sid) {
        return Optional.empty();
    }

    @Override
    public Optional<String> listens() {
        return Optional.empty();
    }

    @Override
    public Optional<String> push(String sid, String text) {
        return Optional.empty();
    }
}
