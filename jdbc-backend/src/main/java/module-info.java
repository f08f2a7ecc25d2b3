/** The store on PostgreSQL and MariaDB. */
module io.baton.jdbc {
    requires static transitive org.jspecify;
    requires transitive io.baton.core;
    requires transitive java.sql;
    requires static org.postgresql.jdbc;

    exports io.baton.jdbc;

    provides io.baton.spi.StoreProvider with
            io.baton.jdbc.JdbcStoreProvider;
}
