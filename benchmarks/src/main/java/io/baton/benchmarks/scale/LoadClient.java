package io.baton.benchmarks.scale;

import io.baton.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A client under load in a process of its own, which ends with ours. */
final class LoadClient implements AutoCloseable {

    /** For one of few: as much heap as a client may have. */
    static final List<String> LARGE = List.of("-Xmx512m");

    /** For one of many on a small machine. */
    static final List<String> SMALL = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final List<String> JVM_FLAGS = List.of(
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.net.preferIPv4Stack=true",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

    private final String name;
    private final Process process;
    private final PrintStream commands;
    private final LoadReport report = new LoadReport();

    private LoadClient(String name, Process process) {
        this.name = name;
        this.process = process;
        this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /**
     * Starts it.
     *
     * @param log what it writes to standard error
     */
    static LoadClient start(String name, String uri, List<String> heap, Path log) throws IOException {
        var flags = new ArrayList<>(heap);
        flags.addAll(JVM_FLAGS);
        Process process = ChildProcess.java(LoadClientMain.class, flags, List.of(uri))
                .redirectError(log.toFile())
                .start();
        LoadClient client = new LoadClient(name, process);
        Thread reader = new Thread(client::read, "report-of-" + name);
        reader.setDaemon(true);
        reader.start();
        return client;
    }

    String name() {
        return name;
    }

    LoadReport report() {
        return report;
    }

    /** Tells it what to do. */
    void tell(String command) {
        commands.println(command);
    }

    /** Whether it still runs. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** Why it does not run any more. */
    String end() {
        int status = process.exitValue();
        return name + " ended with status " + status + (status == 3 ? ", out of memory" : "");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                report.add(line);
            }
        } catch (IOException broken) {
            if (process.isAlive()) {
                throw new UncheckedIOException(broken);
            }
        }
    }
}
