package io.baton.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** A stderr of this process that takes nothing until it is closed, as a pipe that is full. */
public final class StuckStderr extends OutputStream {

    private final PrintStream before = System.err;
    private final CountDownLatch read = new CountDownLatch(1);

    private StuckStderr() {}

    /** Takes the place of stderr. */
    public static StuckStderr begin() {
        var stuck = new StuckStderr();
        System.setErr(new PrintStream(stuck, true, StandardCharsets.UTF_8));
        return stuck;
    }

    @Override
    public void write(int one) {
        try {
            read.await();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        read.countDown();
        System.setErr(before);
    }
}
