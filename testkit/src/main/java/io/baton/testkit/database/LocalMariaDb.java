package io.baton.testkit.database;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.server.Directories;
import io.baton.testkit.server.ServerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real MariaDB server in a process of its own, on loopback, for tests. It forces to its files what it acknowledges, as
 * Baton demands of a database; that costs less where {@code java.io.tmpdir} is in memory.
 *
 * <pre>{@code
 * try (LocalMariaDb mariadb = LocalMariaDb.start();
 *         Connection connection = DriverManager.getConnection(mariadb.url())) {
 *     ...
 * }
 * }</pre>
 *
 * <p>A {@link Builder} also makes servers that can follow each other.
 *
 * <p><b>Needs</b> {@code mariadbd}: in the directory that the environment variable {@code BATON_MARIADB} names, in
 * {@code PATH}, or where Debian has it. Also a POSIX shell.
 */
public final class LocalMariaDb extends LocalDatabase {

    /** The environment variable that names the directory of the program. */
    public static final String VARIABLE = "BATON_MARIADB";

    private static final List<Path> USUAL = List.of(Path.of("/usr/sbin"), Path.of("/usr/libexec"));
    private static final String HOW_TO_GET =
            "in Baton's source tree: " + VARIABLE + "=$(tools/mariadb); Debian: apt-get install mariadb-server-core";

    /** What creates the tables of the server itself, in this order. */
    private static final List<String> SYSTEM_TABLES =
            List.of("mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql");

    /** For what is not started if the machine crashes meanwhile. */
    private static final List<String> WITHOUT_SYNC = List.of(
            "--innodb-flush-log-at-trx-commit=2", "--loose-innodb-flush-method=nosync", "--skip-innodb-doublewrite");

    private static final String BEFORE_SYSTEM_TABLES = """
            create database mysql;
            use mysql;
            set @auth_root_socket=null;
            set @skip_auth_anonymous=1;
            """;

    private LocalMariaDb(Path home, int port, List<String> command, Path log) {
        super("MariaDB", home, port, log, new ServerProgram("MariaDB", command, log));
    }

    /**
     * Starts a server without databases, on a free port.
     *
     * @throws IllegalStateException if there is no program, or if the server does not serve within a minute
     */
    public static LocalMariaDb start() {
        return builder().start();
    }

    /** Makes servers with other settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** The settings of a server. By default it has no binary log. */
    public static final class Builder {

        private final List<String> settings = new ArrayList<>();
        private boolean replicas;

        private Builder() {}

        /** Sets a parameter of the server. */
        public Builder setting(String name, String value) {
            settings.add("--" + name + "=" + value);
            return this;
        }

        /** Keeps a binary log of all that it writes, of itself or as a replica: others can be its replicas. */
        public Builder withReplicas() {
            replicas = true;
            return this;
        }

        /**
         * Starts a server without databases, on a free port.
         *
         * @throws IllegalStateException if there is no program, or if the server does not serve within a minute
         */
        public LocalMariaDb start() {
            Path programs = DatabasePrograms.directory(VARIABLE, List.of("mariadbd"), USUAL.stream(), HOW_TO_GET);
            Path home = Directories.temporary("mariadb");
            try {
                Files.createDirectory(home.resolve("data"));
                List<String> bootstrap = command(programs, home);
                bootstrap.addAll(List.of("--skip-log-bin", "--bootstrap"));
                bootstrap.addAll(WITHOUT_SYNC);
                DatabasePrograms.run(home, BEFORE_SYSTEM_TABLES + systemTables(messages(programs)), bootstrap);
            } catch (IOException broken) {
                Directories.delete(home);
                throw new UncheckedIOException("cannot make the tables of MariaDB itself", broken);
            } catch (RuntimeException broken) {
                Directories.delete(home);
                throw broken;
            }
            int port = Loopback.freePort();
            LocalMariaDb mariadb = new LocalMariaDb(home, port, server(programs, home, port), home.resolve("log"));
            mariadb.launch();
            return mariadb;
        }

        private List<String> server(Path programs, Path home, int port) {
            List<String> command = command(programs, home);
            command.addAll(List.of("--port=" + port, "--bind-address=127.0.0.1", "--socket=socket"));
            command.add("--skip-name-resolve");
            command.addAll(
                    replicas
                            ? List.of(
                                    "--log-bin=binlog",
                                    "--log-slave-updates",
                                    "--binlog-format=ROW",
                                    "--sync-binlog=1",
                                    "--server-id=" + port)
                            : List.of("--skip-log-bin"));
            command.addAll(settings);
            return command;
        }
    }

    /** The JDBC URL of the server, for the user {@code root}, who may do anything. */
    @Override
    public String url() {
        return url("");
    }

    /**
     * The JDBC URL of a database of this place's own. It is made if it does not exist yet, for which MariaDB's driver
     * must be on the class path.
     */
    @Override
    public String uri(String place) {
        String name = Databases.name(place);
        Databases.ensure(
                url(),
                "select 1 from information_schema.schemata where schema_name = '" + name + "'",
                "create database " + name);
        return url(name);
    }

    /**
     * Refuses other writes from now on, and repeats asynchronously what the server at this address has written from its
     * beginning, as far as it has not. Both must be made {@link Builder#withReplicas}. Needs MariaDB's driver.
     */
    public void follow(InetSocketAddress primary) {
        execute(
                "stop slave",
                "set global read_only = 1",
                "change master to master_host = '127.0.0.1', master_port = " + primary.getPort()
                        + ", master_user = 'root', master_connect_retry = 1, master_use_gtid = current_pos",
                "start slave");
    }

    /**
     * Waits until it has repeated all that this server has written by now. Needs MariaDB's driver.
     *
     * @throws IllegalStateException if that takes more than a minute
     */
    public void awaitAllOf(LocalMariaDb primary) {
        String written = ask(primary, "select @@global.gtid_binlog_pos");
        if (!ask(this, "select master_gtid_wait('" + written + "', 60)").equals("0")) {
            throw new IllegalStateException("a replica does not follow its primary:\n"
                    + ask(
                            this,
                            "select variable_value from information_schema.global_status"
                                    + " where variable_name = 'SLAVES_RUNNING'")
                    + " of its replications run");
        }
    }

    private static String ask(LocalMariaDb server, String query) {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException refused) {
            throw new IllegalStateException("MariaDB does not answer " + query, refused);
        }
    }

    /** Ends its replication, and accepts writes. Sends nothing to the former primary. Needs MariaDB's driver. */
    @Override
    public void promote() {
        execute("stop slave", "reset slave all", "set global read_only = 0");
    }

    @Override
    boolean isReady() {
        return Loopback.isOpen(port());
    }

    /** Executes statements as a user who may do anything. Needs MariaDB's driver. */
    public void execute(String... statements) {
        try (Connection connection = DriverManager.getConnection(url());
                Statement sql = connection.createStatement()) {
            for (String statement : statements) {
                sql.execute(statement);
            }
        } catch (SQLException refused) {
            throw new IllegalStateException("MariaDB refuses " + String.join("; ", statements), refused);
        }
    }

    private String url(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/" + database + "?user=root&sslMode=disable";
    }

    private static List<String> command(Path programs, Path home) {
        List<String> command = new ArrayList<>(List.of(
                programs.resolve("mariadbd").toString(),
                "--no-defaults",
                "--datadir=" + home.resolve("data"),
                // Not shared: a server that starts removes what looks like its temporary tables.
                "--tmpdir=" + home,
                "--lc-messages-dir=" + messages(programs),
                "--innodb-log-file-size=4M",
                "--innodb-buffer-pool-size=16M"));
        if (DatabasePrograms.isRoot(home)) {
            command.add("--user=root");
        }
        return command;
    }

    /** The directory of its messages, and of the statements that make its own tables. */
    private static Path messages(Path programs) {
        return Stream.of("mysql", "mariadb")
                .map(name -> programs.resolveSibling("share").resolve(name))
                .filter(share -> Files.isReadable(share.resolve(SYSTEM_TABLES.get(0))))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the files of MariaDB are not beside " + programs));
    }

    /** As {@code mariadb-install-db}, without users for the name of this host. */
    private static String systemTables(Path share) throws IOException {
        StringBuilder statements = new StringBuilder();
        for (String file : SYSTEM_TABLES) {
            statements.append(Files.readAllLines(share.resolve(file)).stream()
                    .filter(line -> !line.contains("@current_hostname"))
                    .collect(Collectors.joining("\n", "", "\n")));
        }
        return statements.toString();
    }
}
