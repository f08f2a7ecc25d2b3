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
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real PostgreSQL server in a process of its own, on loopback, for tests. What is committed survives a crash of the
 * process, not of the machine.
 *
 * <pre>{@code
 * try (LocalPostgres postgres = LocalPostgres.start();
 *         Connection connection = DriverManager.getConnection(postgres.url())) {
 *     ...
 * }
 * }</pre>
 *
 * <p>PostgreSQL refuses to run as root. If this process is root's, the server runs as the user {@code nobody}.
 *
 * <p><b>Guarantees.</b> {@link #close()} leaves no process, port or directory behind. The process ends with this JVM,
 * even if that is killed.
 *
 * <p><b>Needs</b> {@code postgres} and {@code initdb}: in the directory that the environment variable
 * {@code BATON_POSTGRES} names, in {@code PATH}, or where Debian has them. Also a POSIX shell, and {@code setpriv} if
 * run by root.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class LocalPostgres implements TestServer {

    /** The environment variable that names the directory of the programs. */
    public static final String VARIABLE = "BATON_POSTGRES";

    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final String HOW_TO_GET =
            "in Baton's source tree: " + VARIABLE + "=$(tools/postgres); Debian: apt-get install postgresql";

    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    private static final int STATUS_LINE = 7;

    private final int port;
    private final DatabaseServer server;

    private LocalPostgres(List<String> asUser, Path programs, Path home) {
        Path data = home.resolve("data");
        this.port = Loopback.freePort();
        List<String> command = new ArrayList<>(asUser);
        command.addAll(List.of(programs.resolve("postgres").toString(), "-D", data.toString()));
        command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(port)));
        for (String setting : List.of("unix_socket_directories=", "fsync=off", "jit=off", "shared_buffers=16MB")) {
            command.addAll(List.of("-c", setting));
        }
        // Unlike SIGKILL, SIGQUIT lets it remove its shared memory.
        ServerProgram program = new ServerProgram("PostgreSQL", command, home.resolve("log"), "QUIT");
        this.server = new DatabaseServer("PostgreSQL", home, program, () -> isReady(data, program));
    }

    /**
     * Starts a server with an empty database, on a free port.
     *
     * @throws IllegalStateException if there are no programs, or if the server does not serve within a minute
     */
    public static LocalPostgres start() {
        Path programs = DatabasePrograms.directory(VARIABLE, List.of("postgres", "initdb"), debian(), HOW_TO_GET);
        Path home = Directories.temporary("postgres");
        List<String> asUser;
        try {
            asUser = asUnprivilegedUser(home);
            List<String> initialise = new ArrayList<>(asUser);
            initialise.addAll(List.of(programs.resolve("initdb").toString(), "-D"));
            initialise.add(home.resolve("data").toString());
            initialise.addAll(List.of("-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"));
            DatabasePrograms.run(home, "", initialise);
        } catch (RuntimeException broken) {
            Directories.delete(home);
            throw broken;
        }
        LocalPostgres postgres = new LocalPostgres(asUser, programs, home);
        postgres.server.launch();
        return postgres;
    }

    /** The JDBC URL of the database {@code postgres}, for the user of that name, who may do anything. */
    public String url() {
        return url("postgres");
    }

    /**
     * The JDBC URL of a database of this place's own. It is made if it does not exist yet, for which PostgreSQL's
     * driver must be on the class path.
     */
    @Override
    public String uri(String place) {
        String name = Databases.name(place);
        Databases.ensure(url(), "select 1 from pg_database where datname = '" + name + "'", "create database " + name);
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

    /** Ends it as a crash does: connections break, and what was not committed is lost. Idempotent. */
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
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
    }

    /** What to put before a command so that root does not run it. The directory then belongs to that user. */
    private static List<String> asUnprivilegedUser(Path home) {
        if (!DatabasePrograms.isRoot(home)) {
            return List.of();
        }
        try {
            Files.setOwner(
                    home, home.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
            return AS_NOBODY;
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot give " + home + " to the user nobody", broken);
        }
    }

    private static Stream<Path> debian() {
        if (!Files.isDirectory(DEBIAN)) {
            return Stream.of();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions
                    .sorted(Comparator.comparingDouble((Path each) -> version(each))
                            .reversed())
                    .map(each -> each.resolve("bin"))
                    .toList()
                    .stream();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot look into " + DEBIAN, broken);
        }
    }

    private static double version(Path directory) {
        try {
            return Double.parseDouble(directory.getFileName().toString());
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    /** Reads the file that {@code pg_ctl} goes by, too: the process in the first line, its state in the last. */
    private static boolean isReady(Path data, ServerProgram program) {
        try {
            List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
            return program.isAlive()
                    && lines.size() > STATUS_LINE
                    && lines.get(0).equals(Long.toString(program.pid()))
                    && lines.get(STATUS_LINE).startsWith("ready");
        } catch (IOException notYet) {
            return false;
        }
    }
}
