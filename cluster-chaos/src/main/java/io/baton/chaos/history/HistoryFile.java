package io.baton.chaos.history;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * One process's history. Each event is handed to the system at once and in one piece, so a process that is killed has
 * told all that it has noted. Any thread may write.
 */
public final class HistoryFile implements Closeable {

    private final FileOutputStream out;

    /** Begins it, or goes on with it. */
    public HistoryFile(Path file) {
        try {
            out = new FileOutputStream(file.toFile(), true);
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot write " + file, refused);
        }
    }

    /** Notes an event. */
    public void note(Event event) {
        try {
            out.write((event.line() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot note: " + event.line(), broken);
        }
    }

    /** Notes an event that happens now; details are keys and values in turns. */
    public void note(String who, EventKind what, Object... details) {
        note(Event.of(System.nanoTime(), who, what, details));
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot close a history", broken);
        }
    }
}
