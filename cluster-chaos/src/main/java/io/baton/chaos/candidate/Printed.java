package io.baton.chaos.candidate;

import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Standard output, to which each event is written at once and in one piece: what a process has printed stays when it is
 * killed. Any thread may write.
 */
public final class Printed {

    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    /** Begins with a reading of this process's clock, for whoever has started it. */
    public Printed() {
        write(Long.toString(System.nanoTime()));
    }

    /** Prints an event. */
    public void note(Event event) {
        write(event.line());
    }

    /** Prints an event that happens now; details are keys and values in turns. */
    public void note(String who, EventKind what, Object... details) {
        note(Event.of(System.nanoTime(), who, what, details));
    }

    private void write(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException gone) {
            throw new UncheckedIOException("nobody listens any more", gone);
        }
    }
}
