package io.baton.testkit.database;

import io.baton.testkit.server.Directories;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that runs a server and is killed: prints the server's process and its directory. */
final class DatabaseHolder {

    private DatabaseHolder() {}

    public static void main(String[] args) throws Exception {
        long pid = args[0].equals("postgres")
                ? LocalPostgres.start().pid()
                : LocalMariaDb.start().pid();
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            Path home = files.filter(file -> file.getFileName().toString().startsWith(Directories.prefix(args[0])))
                    .findAny()
                    .orElseThrow();
            System.out.println(pid + " " + home);
        }
        Thread.currentThread().join();
    }
}
