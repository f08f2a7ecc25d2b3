package io.baton.fence.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Whose SQL is used. */
public enum Database {
    /**
     * PostgreSQL. A claim that raises nothing replaces the row as well: with REPEATABLE READ, a later one that has waited
     * for it is refused then. A row that was only locked would let it in with a snapshot from before the commit.
     */
    POSTGRESQL("character varying(255)", "", """
            insert into %1$s (name, token, turn) values (?, ?, ?)
            on conflict (name) do update set token = excluded.token, turn = excluded.turn
            where (%1$s.token, %1$s.turn) <= (excluded.token, excluded.turn)"""),

    /**
     * MariaDB. MySQL's SQL is the same, but nothing has been tested with it.
     *
     * <p>The table is InnoDB's: an engine without transactions would keep what was rolled back. Names are compared by
     * their bytes, as the other databases do, but for spaces at the end, which this collation does not see. So names that
     * end in a space are refused.
     */
    MARIADB(
            "varchar(255) character set utf8mb4 collate utf8mb4_bin",
            " engine = InnoDB",
            // Assigned from left to right: the turn must see the token as it was.
            """
            insert into %1$s (name, token, turn) values (?, ?, ?)
            on duplicate key update
            turn = case when values(token) > token then values(turn)
                when values(token) = token then greatest(turn, values(turn)) else turn end,
            token = greatest(token, values(token))"""),

    /** H2, in its regular mode. */
    H2("varchar(255)", "", """
            merge into %1$s old using (select cast(? as varchar(255)) name, cast(? as bigint) token,
            cast(? as bigint) turn) new on old.name = new.name
            when matched and (old.token < new.token or (old.token = new.token and old.turn < new.turn))
            then update set token = new.token, turn = new.turn
            when not matched then insert (name, token, turn) values (new.name, new.token, new.turn)""");

    private final String nameType;
    private final String options;
    private final String raise;

    Database(String nameType, String options, String raise) {
        this.nameType = nameType;
        this.options = options;
        this.raise = raise;
    }

    /**
     * Returns that of the connection.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static Database of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "MariaDB", "MySQL" -> MARIADB;
            case "H2" -> H2;
            default -> throw new IllegalArgumentException("no SQL for " + product + " is known");
        };
    }

    /** Refuses a name that the database does not tell from another one. */
    void check(String name) {
        if (this == MARIADB && name.endsWith(" ")) {
            throw new IllegalArgumentException("MariaDB and MySQL do not tell '" + name
                    + "' from the same name without the space at its end: choose another one");
        }
    }

    /** The statement that makes a table of fences, unless it exists. */
    String createTable(String table) {
        return "create table if not exists " + table + " (name " + nameType
                + " not null primary key, token bigint not null, turn bigint not null)" + options;
    }

    /**
     * The statement that enters a name with a token and a turn, or raises them if they are smaller. Whatever it changes,
     * it locks the row of the name.
     */
    String raise(String table) {
        return raise.formatted(table);
    }
}
