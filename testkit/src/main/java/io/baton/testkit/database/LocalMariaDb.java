package io.baton.testkit.database;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.server.Directories;
import io.baton.testkit.server.ServerProgram;
import io.baton.testkit.server.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real MariaDB server in a process of its own, on loopback, for tests. What is committed survives a crash of the
 * process, not of the machine.
 *
 * <pre>{@code
 * try (LocalMariaDb mariadb = LocalMariaDb.start();
 *         Connection connection = DriverManager.getConnection(mariadb.url())) {
 *     ...
 * }
 * }</pre>
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no process, port or directory behind. The process ends with this JVM,
 * even if that is killed.
 *
 * <p><b>Needs</b> {@code mariadbd}: in the directory that the environment variable {@code BATON_MARIADB} names, in
 * {@code PATH}, or where Debian has it. Also a POSIX shell.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class LocalMariaDb implements TestServer {

    /** The environment variable that names the directory of the program. */
    public static final String VARIABLE = "BATON_MARIADB";

    private static final List<Path> USUAL = List.of(Path.of("/usr/sbin"), Path.of("/usr/libexec"));
    private static final String HOW_TO_GET =
            "in Baton's source tree: " + VARIABLE + "=$(tools/mariadb); Debian: apt-get install mariadb-server-core";

    /** What creates the tables of the server itself, in this order. */
    private static final List<String> SYSTEM_TABLES =
            List.of("mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql");

    private static final String BEFORE_SYSTEM_TABLES = """
            create database mysql;
            use mysql;
            set @auth_root_socket=null;
            set @skip_auth_anonymous=1;
            """;

    private final int port;
    private final DatabaseServer server;

    private LocalMariaDb(Path programs, Path home) {
        this.port = Loopback.freePort();
        List<String> command = command(programs, home);
        command.addAll(List.of("--port=" + port, "--bind-address=127.0.0.1", "--socket=socket", "--skip-name-resolve"));
        this.server = new DatabaseServer(
                "MariaDB",
                home,
                new ServerProgram("MariaDB", command, home.resolve("log")),
                () -> Loopback.isOpen(port));
    }

    /**
     * Starts a server without databases, on a free port.
     *
     * @throws IllegalStateException if there is no program, or if the server does not serve within a minute
     */
    public static LocalMariaDb start() {
        Path programs = DatabasePrograms.directory(VARIABLE, List.of("mariadbd"), USUAL.stream(), HOW_TO_GET);
        Path home = Directories.temporary("mariadb");
        try {
            Files.createDirectory(home.resolve("data"));
            List<String> bootstrap = command(programs, home);
            bootstrap.add("--bootstrap");
            DatabasePrograms.run(home, BEFORE_SYSTEM_TABLES + systemTables(messages(programs)), bootstrap);
        } catch (IOException broken) {
            Directories.delete(home);
            throw new UncheckedIOException("cannot make the tables of MariaDB itself", broken);
        } catch (RuntimeException broken) {
            Directories.delete(home);
            throw broken;
        }
        LocalMariaDb mariadb = new LocalMariaDb(programs, home);
        mariadb.server.launch();
        return mariadb;
    }

    /** The JDBC URL of the server, for the user {@code root}, who may do anything. */
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

    /** The port on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** The id of the server's process. */
    public long pid() {
        return server.pid();
    }

    /** Whether the server runs. */
    public boolean isRunning() {
        return server.isRunning();
    }

    @Override
    public void serve() {
        server.serve();
    }

    /** Kills it ({@code SIGKILL}): connections break, and what was not committed is lost. Idempotent. */
    public void kill() {
        server.kill();
    }

    /** Starts the server again on the same port and data; kills it first if it runs. */
    public void restart() {
        server.restart();
    }

    /** Stops the server and deletes its data. Idempotent. */
    @Override
    public void close() {
        server.close();
    }

    private String url(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&sslMode=disable";
    }

    private static List<String> command(Path programs, Path home) {
        List<String> command = new ArrayList<>(List.of(
                programs.resolve("mariadbd").toString(),
                "--no-defaults",
                "--datadir=" + home.resolve("data"),
                // Not shared: a server that starts removes what looks like its temporary tables.
                "--tmpdir=" + home,
                "--lc-messages-dir=" + messages(programs),
                "--skip-log-bin",
                "--innodb-flush-log-at-trx-commit=2",
                "--loose-innodb-flush-method=nosync",
                "--skip-innodb-doublewrite",
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
