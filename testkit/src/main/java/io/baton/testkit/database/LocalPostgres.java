package io.baton.testkit.database;

import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.server.Command;
import io.baton.testkit.server.Directories;
import io.baton.testkit.server.ProcessEnd;
import io.baton.testkit.server.ServerProgram;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A real PostgreSQL server in processes of its own, on loopback, for tests. It forces to its files what it acknowledges,
 * as Baton demands of a database; that costs less where {@code java.io.tmpdir} is in memory.
 *
 * <pre>{@code
 * try (LocalPostgres postgres = LocalPostgres.start();
 *         Connection connection = DriverManager.getConnection(postgres.url())) {
 *     ...
 * }
 * }</pre>
 *
 * <p>A {@link Builder} also makes servers with other settings, and standbys.
 *
 * <p>Users log in without a password, but for {@link #GUARDED}, whom a test has to create.
 *
 * <p>PostgreSQL refuses to run as root. If this process is root's, the server runs as the user {@code nobody}.
 *
 * <p><b>Needs</b> {@code postgres} and {@code initdb}, for a standby {@code pg_basebackup}: in the directory that the
 * environment variable {@code BATON_POSTGRES} names, in {@code PATH}, or where Debian has them. Also a POSIX shell, and
 * {@code setpriv} if run by root.
 */
public final class LocalPostgres extends LocalDatabase {

    /** The environment variable that names the directory of the programs. */
    public static final String VARIABLE = "BATON_POSTGRES";

    /** The name of a user who needs a password. */
    public static final String GUARDED = "guarded";

    private static final int SHARED_MEMORY_LINE = 6;
    private static final int STATUS_LINE = 7;
    private static final int CONTROL_FILE_STATE = 16;
    private static final int IN_PRODUCTION = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final PostgresPrograms programs;
    private final ServerProgram program;

    private LocalPostgres(PostgresPrograms programs, Path home, int port, ServerProgram program) {
        super("PostgreSQL", home, port, programs.log(), program);
        this.programs = programs;
        this.program = program;
    }

    /**
     * Starts a server with an empty database, on a free port.
     *
     * @throws IllegalStateException if there are no programs, or if the server does not serve within a minute
     */
    public static LocalPostgres start() {
        return builder().start();
    }

    /** Makes servers with other settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** The settings of a server. */
    public static final class Builder {

        private final List<String> settings =
                new ArrayList<>(List.of("unix_socket_directories=", "jit=off", "shared_buffers=16MB"));
        private Map<String, String> environment = Map.of();

        private Builder() {}

        /** Sets a parameter of the server. */
        public Builder setting(String name, String value) {
            settings.add(name + "=" + value);
            return this;
        }

        /** Adds to the environment of the server's processes. */
        public Builder environment(Map<String, String> added) {
            environment = Map.copyOf(added);
            return this;
        }

        /**
         * Starts a server with an empty database, on a free port.
         *
         * @throws IllegalStateException if there are no programs, or if the server does not serve within a minute
         */
        public LocalPostgres start() {
            Path home = Directories.temporary("postgres");
            return start(home, List.of("postgres", "initdb"), PostgresPrograms::initialise);
        }

        /**
         * Starts a standby, on a free port: a copy of the primary at this address, which follows it asynchronously.
         *
         * @throws IllegalStateException if there are no programs, if the primary cannot be copied, or if the standby does
         *     not serve within a minute
         */
        public LocalPostgres startStandby(InetSocketAddress primary) {
            Path home = Directories.temporary("postgres");
            return start(home, List.of("postgres", "pg_basebackup"), programs -> programs.copy(primary));
        }

        private LocalPostgres start(Path home, List<String> names, Consumer<PostgresPrograms> make) {
            LocalPostgres postgres;
            try {
                PostgresPrograms programs = PostgresPrograms.find(home, names);
                make.accept(programs);
                int port = Loopback.freePort();
                List<String> command = programs.server(port, environment, settings);
                // Unlike SIGKILL, SIGQUIT lets it remove its shared memory.
                ServerProgram program = new ServerProgram("PostgreSQL", command, programs.log(), "QUIT");
                postgres = new LocalPostgres(programs, home, port, program);
            } catch (RuntimeException broken) {
                Directories.delete(home);
                throw broken;
            }
            postgres.launch();
            return postgres;
        }
    }

    /** The JDBC URL of the database {@code postgres}, for the user of that name, who may do anything. */
    @Override
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

    /**
     * Lets no file of the server grow beyond this size from now on, as a disk that is full does. A page that would go
     * beyond it is written in part. Less than a file of the log, 16 MiB, ends the server. Needs {@code prlimit}, and
     * PostgreSQL's driver.
     */
    public void limitFiles(long bytes) {
        limitFiles(Long.toString(bytes));
    }

    /** Ends what {@link #limitFiles} has begun. */
    public void limitFilesNoMore() {
        limitFiles("unlimited");
    }

    private void limitFiles(String bytes) {
        List<Long> pids = new ArrayList<>(List.of(pid())); // first, as the others inherit what it has
        try (Connection connection = DriverManager.getConnection(url());
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("select pid from pg_stat_activity where pid <> pg_backend_pid()")) {
            while (rows.next()) {
                pids.add(rows.getLong(1));
            }
        } catch (SQLException refused) {
            throw new IllegalStateException("PostgreSQL does not name its processes", refused);
        }
        programs.limitFiles(pids, bytes);
    }

    @Override
    public void promote() {
        try {
            Files.createFile(programs.data().resolve("promote"));
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot promote a standby", broken);
        }
        Command.Outcome told = Command.run(List.of("kill", "-USR1", Long.toString(pid())), Map.of(), PATIENCE);
        if (!told.ok()) {
            throw new IllegalStateException("cannot promote a standby: " + told.err());
        }
        await(this::isInProduction);
    }

    /** By its control file, which it writes once it has ended recovery. */
    private boolean isInProduction() {
        try (DataInputStream control = new DataInputStream(
                Files.newInputStream(programs.data().resolve("global").resolve("pg_control")))) {
            control.skipNBytes(CONTROL_FILE_STATE);
            int state = control.readInt();
            return (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(state) : state)
                    == IN_PRODUCTION;
        } catch (IOException beingWritten) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            kill();
            freeSharedMemory();
        } finally {
            super.close();
        }
    }

    /** What processes that were killed could not do themselves. An interrupt does not cut this short. */
    private void freeSharedMemory() {
        List<String> lines = state();
        if (lines.size() > SHARED_MEMORY_LINE) {
            String[] keyAndId = lines.get(SHARED_MEMORY_LINE).trim().split("\\s+", -1);
            try {
                ProcessEnd.await(new ProcessBuilder("ipcrm", "-m", keyAndId[keyAndId.length - 1]).start());
            } catch (IOException broken) {
                throw new UncheckedIOException("cannot free the shared memory of PostgreSQL", broken);
            }
        }
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database + "?user=postgres";
    }

    @Override
    boolean isReady() {
        List<String> lines = state();
        return program.isAlive()
                && lines.size() > STATUS_LINE
                && lines.get(0).equals(Long.toString(program.pid()))
                && lines.get(STATUS_LINE).startsWith("ready");
    }

    /** The file that {@code pg_ctl} goes by, too: the process in the first line, its state in the last. */
    private List<String> state() {
        try {
            return Files.readAllLines(programs.data().resolve("postmaster.pid"));
        } catch (IOException doesNotRun) {
            return List.of();
        }
    }
}
