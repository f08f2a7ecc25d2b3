package io.baton.chaos.fleet;

import io.baton.chaos.client.ClientArguments;
import io.baton.chaos.client.ClientMain;
import io.baton.chaos.servers.FakeTime;
import io.baton.testkit.server.Freezer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client process. It ends with this JVM, however that ends. */
final class ClientProcess {

    private static final List<String> JVM_FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private final String name;
    private final Process process;
    private volatile boolean mayEnd;
    private @Nullable Freezer freezer;

    private ClientProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts one, and sees that its monotonic clock is ours.
     *
     * @param environment what is added to its environment
     * @param log where its standard error goes
     */
    static ClientProcess start(
            ClientArguments arguments, int heapMegabytes, Map<String, String> environment, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_FLAGS);
        command.add("-Xmx" + heapMegabytes + "m");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ClientMain.class.getName()));
        command.addAll(arguments.words());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            long before = System.nanoTime();
            ClientProcess started = new ClientProcess(arguments.name(), builder.start());
            started.checkClock(before);
            return started;
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot start " + arguments.name(), broken);
        }
    }

    /** Its first line is a reading of its clock, which must lie between two of ours. */
    private void checkClock(long before) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
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

    String name() {
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

    void freeze() {
        if (freezer == null) {
            freezer = Freezer.freeze(process.pid());
        }
    }

    void wake() throws InterruptedException {
        Freezer now = freezer;
        freezer = null;
        if (now != null) {
            now.thaw();
        }
    }

    /** Kills it ({@code SIGKILL}), frozen or not, and waits until it has gone. */
    void kill() throws InterruptedException {
        mayEnd = true;
        process.destroyForcibly().waitFor();
        wake();
        FakeTime.forget(process.pid());
    }

    /** Tells it to end. */
    void tellToStop() {
        mayEnd = true;
        try {
            process.getOutputStream().write((ClientMain.STOP + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException gone) {
            // It has ended, then, which is told by whoever waits for its death.
            return;
        }
    }

    /** Whether it has ended within this time. */
    boolean ended(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
    }
}
