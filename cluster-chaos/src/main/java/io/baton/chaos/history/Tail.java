package io.baton.chaos.history;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads a file that still grows: each line once, and only when it is complete. */
final class Tail {

    private final Path file;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private long position;

    Tail(Path file) {
        this.file = file;
    }

    /** Hands over the lines that have come since the last time. */
    void read(Consumer<String> to) {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(position);
            byte[] buffer = new byte[64 * 1024];
            for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
                position += n;
                split(buffer, n, to);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot read " + file, broken);
        }
    }

    private void split(byte[] buffer, int length, Consumer<String> to) {
        for (int i = 0; i < length; i++) {
            if (buffer[i] == '\n') {
                to.accept(begun.toString(StandardCharsets.UTF_8));
                begun.reset();
            } else {
                begun.write(buffer[i]);
            }
        }
    }
}
