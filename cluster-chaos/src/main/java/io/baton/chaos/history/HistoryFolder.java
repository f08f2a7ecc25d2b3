package io.baton.chaos.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The histories of one run: one file for each process. */
public final class HistoryFolder {

    private static final String SUFFIX = ".history";

    private final Path folder;

    /** This folder, which is made where it is missing. */
    public HistoryFolder(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot make " + folder, broken);
        }
    }

    /** Where it lies. */
    public Path path() {
        return folder;
    }

    /** Where this process is to write. */
    public Path file(String process) {
        return folder.resolve(process + SUFFIX);
    }

    /** The files there are now, by name. */
    public List<Path> files() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot read " + folder, broken);
        }
    }

    /** Every event; those of one file in the order in which they were noted, one file after another. */
    public void read(Consumer<Event> to) {
        for (Path file : files()) {
            new Tail(file).read(line -> to.accept(Event.parse(line)));
        }
    }
}
