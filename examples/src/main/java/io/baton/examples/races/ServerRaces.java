package io.baton.examples.races;

import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.database.LocalPostgres;
import io.baton.testkit.etcd.LocalEtcd;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Plays a sale on servers of this machine, which it starts and ends. Their files are where the JVM has its temporary ones. */
final class ServerRaces {

    private static final String IN_MEMORY = "mem:races-on-servers";

    private ServerRaces() {}

    /** Prints a table with a row for each protection. */
    static void play(RaceRules sale) throws SQLException, InterruptedException {
        try (LocalPostgres postgres = LocalPostgres.start();
                LocalMariaDb mariadb = withOldReads();
                LocalEtcd etcd = LocalEtcd.start();
                Race onPostgres = new Race(postgres.uri("/races"), IN_MEMORY);
                Race onMariaDb = new Race(mariadb.uri("/races"), IN_MEMORY);
                Race withEtcd = new Race(postgres.uri("/races-with-etcd"), etcd.uri("races"))) {
            System.out.printf(
                    "%nThe sale of %d pieces to %d buyers on %s and %s, with locks in memory or on etcd %s:%n"
                            + "sold too many / purchases a second / longest wait, ms%n%n",
                    sale.stock(), sale.buyers(), product(postgres.url()), product(mariadb.url()), etcd.version());
            System.out.printf("| | PostgreSQL | MariaDB | PostgreSQL, etcd |%n|---|---|---|---|%n");
            for (RaceRow row : RaceRow.all(sale)) {
                var line = new StringBuilder("| " + row.label() + " |");
                for (Race race : List.of(onPostgres, onMariaDb, withEtcd)) {
                    line.append(cell(row.play(race, sale, 1)));
                }
                System.out.println(line);
            }
        }
    }

    /** Newer servers refuse the write of a transaction that has read before another one wrote, so that no race is left. */
    private static LocalMariaDb withOldReads() {
        return LocalMariaDb.builder()
                .setting("loose-innodb-snapshot-isolation", "OFF")
                .start();
    }

    private static String cell(RaceResult result) {
        return String.format(
                Locale.ROOT,
                " %s / %,.0f / %,.0f |",
                result.verdict(),
                result.purchasesPerSecond(),
                result.longestWaitMillis());
    }

    private static String product(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            DatabaseMetaData server = connection.getMetaData();
            return server.getDatabaseProductName() + " " + server.getDatabaseProductVersion();
        }
    }
}
