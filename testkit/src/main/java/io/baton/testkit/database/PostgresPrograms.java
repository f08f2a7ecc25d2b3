package io.baton.testkit.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The programs of PostgreSQL, for the server of one directory, run by the user to whom it belongs. */
final class PostgresPrograms {

    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final String HOW_TO_GET = "in Baton's source tree: " + LocalPostgres.VARIABLE
            + "=$(tools/postgres); Debian: apt-get install postgresql";

    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    private final Path programs;
    private final Path home;
    private final List<String> asUser;

    private PostgresPrograms(Path programs, Path home, List<String> asUser) {
        this.programs = programs;
        this.home = home;
        this.asUser = asUser;
    }

    /**
     * Finds them.
     *
     * @param home the directory of a server; if it is root's, the user {@code nobody} gets it
     */
    static PostgresPrograms find(Path home, List<String> names) {
        Path programs = DatabasePrograms.directory(LocalPostgres.VARIABLE, names, debian(), HOW_TO_GET);
        return new PostgresPrograms(programs, home, asUnprivilegedUser(home));
    }

    Path data() {
        return home.resolve("data");
    }

    Path log() {
        return home.resolve("log");
    }

    /** Makes an empty database. */
    void initialise() {
        List<String> command = command("initdb");
        command.addAll(List.of("-D", data().toString(), "-U", "postgres", "-A", "trust", "-E", "UTF8"));
        command.addAll(List.of("--no-locale", "--no-sync"));
        DatabasePrograms.run(home, "", command);
        askForPasswords();
    }

    /** The first line that fits decides. */
    private void askForPasswords() {
        Path file = data().resolve("pg_hba.conf");
        try {
            Files.writeString(
                    file, "host all " + LocalPostgres.GUARDED + " all scram-sha-256\n" + Files.readString(file));
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot write " + file, broken);
        }
    }

    /** Copies the database of the server at this address, for a standby of it. */
    void copy(InetSocketAddress primary) {
        List<String> command = command("pg_basebackup");
        command.addAll(
                List.of("-D", data().toString(), "-h", primary.getAddress().getHostAddress()));
        command.addAll(List.of("-p", Integer.toString(primary.getPort()), "-U", "postgres"));
        command.addAll(List.of("--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync"));
        DatabasePrograms.run(home, "", command);
    }

    /** The command line of the server. */
    List<String> server(int port, Map<String, String> environment, List<String> settings) {
        List<String> command = new ArrayList<>(asUser);
        if (!environment.isEmpty()) {
            command.add("env");
            environment.forEach((name, value) -> command.add(name + "=" + value));
        }
        command.addAll(List.of(programs.resolve("postgres").toString(), "-D", data().toString()));
        command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(port)));
        settings.forEach(setting -> command.addAll(List.of("-c", setting)));
        return command;
    }

    /** Limits files of the server of these processes, as its user: others may not, not even root everywhere. */
    void limitFiles(List<Long> pids, String bytes) {
        for (long pid : pids) {
            List<String> command = new ArrayList<>(asUser);
            command.addAll(List.of("prlimit", "--pid", Long.toString(pid), "--fsize=" + bytes + ":unlimited"));
            DatabasePrograms.run(home, "", command);
        }
    }

    private List<String> command(String program) {
        List<String> command = new ArrayList<>(asUser);
        command.add(programs.resolve(program).toString());
        return command;
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
}
