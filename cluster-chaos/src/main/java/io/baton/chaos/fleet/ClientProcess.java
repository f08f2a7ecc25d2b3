package io.baton.chaos.fleet;

import io.baton.chaos.client.ClientMain;
import io.baton.chaos.servers.FakeTime;
import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.server.Freezer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process of clients or candidates. It ends with this JVM, however that ends. */
public final class ClientProcess {

    private final String name;
    private final Process process;
    private final BufferedReader out;
    private volatile boolean mayEnd;
    private @Nullable Freezer freezer;

    private ClientProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts one, and sees that its monotonic clock is ours.
     *
     * @param main what runs in it; prints a reading of its clock before anything else
     * @param words what it is told on its command line
     * @param environment what is added to its environment
     * @param log where its standard error goes
     */
    public static ClientProcess start(
            String name,
            Class<?> main,
            List<String> words,
            int heapMegabytes,
            Map<String, String> environment,
            Path log) {
        List<String> flags = List.of(
                "-Xmx" + heapMegabytes + "m",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        ProcessBuilder builder =
                ChildProcess.small(main, flags, words).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            long before = System.nanoTime();
            ClientProcess started = new ClientProcess(name, builder.start());
            started.checkClock(before);
            return started;
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot start " + name, broken);
        }
    }

    /** Its first line is a reading of its clock, which must lie between two of ours. */
    private void checkClock(long before) throws IOException {
        String line = out.readLine();
        long after = System.nanoTime();
        if (line == null) {
            throw new IOException(name + " ended at once; its log tells why");
        }
        long its = Long.parseLong(line);
        if (its - before < 0 || after - its < 0) {
            process.destroyForcibly();
            throw new IllegalStateException("the clocks of two processes cannot be compared here: " + name + " read "
                    + its + " between " + before + " and " + after);
        }
    }

    /** What it is called. */
    public String name() {
        return name;
    }

    /** Runs this if it ends though nobody has told it. */
    void onDeath(Runnable task) {
        process.onExit().thenRun(() -> {
            if (!mayEnd) {
                task.run();
            }
        });
    }

    /** Hands over each line that it prints from now on, on a thread that ends with it. */
    public void follow(Consumer<String> line) {
        Thread reading = new Thread(() -> out.lines().forEach(line), "reads-" + name);
        reading.setDaemon(true);
        reading.setUncaughtExceptionHandler((thread, closed) -> {
            if (!(closed instanceof UncheckedIOException)) {
                throw new IllegalStateException("what " + name + " says cannot be understood", closed);
            }
        });
        reading.start();
    }

    /** Stops it where it is ({@code SIGSTOP}). */
    public void freeze() {
        if (freezer == null) {
            freezer = Freezer.freeze(process.pid());
        }
    }

    /** Lets it go on ({@code SIGCONT}). */
    public void wake() throws InterruptedException {
        Freezer now = freezer;
        freezer = null;
        if (now != null) {
            now.thaw();
        }
    }

    /** Kills it ({@code SIGKILL}), frozen or not, and waits until it has gone. */
    public void kill() throws InterruptedException {
        mayEnd = true;
        process.destroyForcibly().waitFor();
        wake();
        FakeTime.forget(process.pid());
    }

    /** Tells it to end. */
    public void tellToStop() {
        mayEnd = true;
        tell(ClientMain.STOP);
    }

    /** Tells it something, one line; without effect if it has ended. */
    public void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException gone) {
            // It has ended, then, which is told by whoever waits for its death.
            return;
        }
    }

    /** Whether it has ended within this time. */
    public boolean ended(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
    }
}
