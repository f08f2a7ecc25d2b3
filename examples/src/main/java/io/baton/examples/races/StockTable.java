package io.baton.examples.races;

import io.baton.fence.jdbc.Database;
import io.baton.fence.jdbc.Fences;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What is left in each row, and what was taken: on one connection, which commits when it is told to. */
final class StockTable implements AutoCloseable {

    private final Connection connection;
    private final Fences fences;

    private StockTable(Connection connection, Fences fences) {
        this.connection = connection;
        this.fences = fences;
    }

    static StockTable connect(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return new StockTable(connection, Fences.in("race_fence", Database.of(connection)));
    }

    /** Makes the tables anew. */
    void create() throws SQLException {
        drop();
        execute("create table race_stock (id integer not null primary key, amount integer not null,"
                + " version integer not null, fence bigint default 0 not null)");
        execute("create table race_taken (id varchar(40) not null primary key, amount integer not null)");
        fences.createTable(connection);
        connection.commit();
    }

    /** Spreads this amount over so many rows; nothing has been taken. */
    void fill(int amount, int rows) throws SQLException {
        execute("delete from race_stock");
        execute("delete from race_taken");
        for (int row = 0; row < rows; row++) {
            int share = amount / rows + (row < amount % rows ? 1 : 0);
            update("insert into race_stock (id, amount, version) values (?, ?, 0)", row, share);
        }
        connection.commit();
    }

    void drop() throws SQLException {
        execute("drop table if exists race_stock");
        execute("drop table if exists race_taken");
        execute("drop table if exists race_fence");
        connection.commit();
    }

    Connection connection() {
        return connection;
    }

    Fences fences() {
        return fences;
    }

    int amount(int row) throws SQLException {
        return number("select amount from race_stock where id = ?", row);
    }

    int amountForUpdate(int row) throws SQLException {
        return number("select amount from race_stock where id = ? for update", row);
    }

    int version(int row) throws SQLException {
        return number("select version from race_stock where id = ?", row);
    }

    /** The sum of what was taken. */
    int taken() throws SQLException {
        int taken = number("select coalesce(sum(amount), 0) from race_taken where amount > ?", 0);
        connection.commit();
        return taken;
    }

    int write(int row, int amount) throws SQLException {
        return update("update race_stock set amount = ? where id = ?", amount, row);
    }

    /** Notes what was taken, and commits it with what was written. */
    boolean take(String id, int amount) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement("insert into race_taken (id, amount) values (?, ?)")) {
            sql.setString(1, id);
            sql.setInt(2, amount);
            sql.executeUpdate();
        }
        connection.commit();
        return true;
    }

    int update(String statement, int... values) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(statement)) {
            set(sql, values);
            return sql.executeUpdate();
        }
    }

    private int number(String query, int... values) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(query)) {
            set(sql, values);
            try (ResultSet row = sql.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static void set(PreparedStatement sql, int... values) throws SQLException {
        for (int index = 0; index < values.length; index++) {
            sql.setInt(index + 1, values[index]);
        }
    }

    private void execute(String statement) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
