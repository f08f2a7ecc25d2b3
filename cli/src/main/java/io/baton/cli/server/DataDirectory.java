package io.baton.cli.server;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a server's data.
 *
 * @param path the directory
 * @param temporary whether it is removed when the server has ended
 */
record DataDirectory(Path path, boolean temporary) {

    private static final int ATTEMPTS = 3;

    /** Returns the given directory, created if absent; without one, a temporary directory. */
    static DataDirectory of(@Nullable Path given) {
        try {
            return given == null
                    ? new DataDirectory(Files.createTempDirectory("baton-server-"), true)
                    : new DataDirectory(Files.createDirectories(given).toAbsolutePath(), false);
        } catch (IOException refused) {
            String what = given == null ? "make a temporary directory" : "use the directory " + given + " for data";
            throw new Failure(Exit.CANNOT_SERVE, "cannot " + what + ": " + refused);
        }
    }

    /** Removes a temporary directory. Retries, as the server may still be writing its last file. */
    void release() {
        boolean left = temporary;
        for (int attempt = 0; attempt < ATTEMPTS && left; attempt++) {
            left = !removed();
        }
    }

    private boolean removed() {
        try {
            Files.walkFileTree(path, new Remover());
            return true;
        } catch (IOException changed) {
            return false;
        }
    }

    private static final class Remover extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failed) throws IOException {
            if (failed instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failed;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failed) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
