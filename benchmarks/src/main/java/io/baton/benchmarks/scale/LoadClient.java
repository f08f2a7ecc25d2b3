package io.baton.benchmarks.scale;

import io.baton.benchmarks.JvmProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A client under load in a process of its own, which ends with ours. */
final class LoadClient implements AutoCloseable {

    /** For one of few: as much heap as a client may have. */
    static final List<String> LARGE = List.of("-Xmx512m");

    /** For one of many on a small machine. */
    static final List<String> SMALL = JvmProcess.small(96);

    private final String name;
    private final JvmProcess process;
    private final LoadReport report = new LoadReport();

    private LoadClient(String name, JvmProcess process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param log what it writes to standard error
     */
    static LoadClient start(String name, String uri, List<String> heap, Path log) throws IOException {
        List<String> flags = Stream.concat(heap.stream(), Stream.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"))
                .toList();
        LoadClient client = new LoadClient(
                name, JvmProcess.start(LoadClientMain.class, flags, List.of(uri), Redirect.to(log.toFile())));
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
        process.tell(command);
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
        process.kill();
    }

    private void read() {
        try {
            process.answers().forEach(report::add);
        } catch (UncheckedIOException broken) {
            if (process.isAlive()) {
                throw broken;
            }
        }
    }
}
