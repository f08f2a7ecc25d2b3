package io.baton.benchmarks;

import io.baton.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A JVM with the class path of this one. It is told lines, answers with lines, and ends when its input does. */
public final class JvmProcess implements AutoCloseable {

    private static final List<String> JVM_FLAGS = List.of(
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.net.preferIPv4Stack=true",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "--enable-native-access=ALL-UNNAMED");

    private static final long PATIENCE_SECONDS = 30;

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream lines;

    private JvmProcess(Process process) {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.lines = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /**
     * Starts it.
     *
     * @param flags of the JVM
     * @param errors where its standard error goes
     */
    public static JvmProcess start(Class<?> main, List<String> flags, List<String> arguments, Redirect errors)
            throws IOException {
        var all = new ArrayList<>(JVM_FLAGS);
        all.addAll(flags);
        return new JvmProcess(
                ChildProcess.java(main, all, arguments).redirectError(errors).start());
    }

    /** Flags of one of many on a small machine, with a heap of so many megabytes. */
    public static List<String> small(int megabytes) {
        return Stream.concat(ChildProcess.SMALL.stream(), Stream.of("-Xmx" + megabytes + "m"))
                .toList();
    }

    /** Tells it a line. */
    public void tell(String line) {
        lines.println(line);
    }

    /**
     * Waits for the next line.
     *
     * @throws IllegalStateException if it has ended
     */
    String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IllegalStateException("a process has ended (see its errors)");
        }
        return line;
    }

    /** All lines that are still to come, until it ends. */
    public Stream<String> answers() {
        return answers.lines();
    }

    /** The number of the process. */
    long pid() {
        return process.pid();
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** The status with which it has ended. */
    public int exitValue() {
        return process.exitValue();
    }

    /** Ends its input, and does not wait. */
    void end() {
        lines.close();
    }

    /** Kills it, and waits until it has ended. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Ends its input, and waits until it has ended; kills it if that takes long. */
    @Override
    public void close() {
        end();
        try {
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        kill();
    }
}
