package io.baton.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Temporary directories of servers. */
public final class Directories {

    private Directories() {}

    /** The prefix of this JVM's directories for such servers. It identifies their owner. */
    public static String prefix(String servers) {
        return "baton-" + servers + "-" + ProcessHandle.current().pid() + "-";
    }

    /** Creates a new directory for such a server. */
    public static Path temporary(String servers) {
        try {
            return Files.createTempDirectory(prefix(servers));
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot make a directory for data of " + servers, broken);
        }
    }

    /** Deletes a directory with its content; files that are already gone are ignored. */
    public static void delete(Path root) {
        try {
            Files.walkFileTree(root, new Deleter());
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot delete " + root, broken);
        }
    }

    private static final class Deleter extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
