package io.baton.cli.demo;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.spi.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory for files of the workers. It must be deleted only after they have ended, as they write to it until then.
 */
final class WorkFiles implements AutoCloseable {

    private final Path directory;

    private WorkFiles(Path directory) {
        this.directory = directory;
    }

    static WorkFiles open() {
        try {
            return new WorkFiles(Files.createTempDirectory("baton-demo"));
        } catch (IOException refused) {
            throw new Failure(Exit.FAILED, "cannot make a temporary directory: " + refused.getMessage());
        }
    }

    /** The file of this worker, as a message contains it. */
    String file(DemoWorker worker) {
        return Names.encode(directory.resolve(worker.name()).toString());
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> innermostFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : innermostFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException goneAlready) {
            // The system removes temporary files then.
        }
    }
}
