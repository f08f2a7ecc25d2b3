package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.server.Freezer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A program in a process of its own, as who disturbs it sees it. It ends with this JVM, however that ends. */
public final class ProgramProcess implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ENDED = "ended";

    private final Path log;
    private final Process process;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    private ProgramProcess(Path log, Process process) {
        this.log = log;
        this.process = process;
        var reader = new Thread(this::listen, "output-" + log);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts one.
     *
     * @param log where its errors go, below {@code target}
     */
    public static ProgramProcess start(Class<?> program, String log, List<String> arguments) throws IOException {
        Path errors = Path.of("target", log + ".log");
        Files.createDirectories(errors.getParent());
        List<String> flags = List.of("-Xmx64m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        List<String> all = new ArrayList<>(List.of(program.getName()));
        all.addAll(arguments);
        Process process = ChildProcess.small(ProgramMain.class, flags, all)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        return new ProgramProcess(errors, process);
    }

    /** Kills it ({@code SIGKILL}). */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Tells it to end ({@code SIGTERM}). */
    public void terminate() throws InterruptedException {
        process.toHandle().destroy(); // and not process.destroy(), which ends its standard input as well
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("a program does not end; " + log);
        }
    }

    /** Stops it where it is ({@code SIGSTOP}), until thawed ({@code SIGCONT}). */
    public Freezer freeze() {
        return Freezer.freeze(process.pid());
    }

    /** Lets {@link ProgramMain#awaitGoOn} return; of a frozen one, as soon as it is thawed. */
    public void tellToGoOn() throws IOException {
        OutputStream input = process.getOutputStream();
        input.write('\n');
        input.flush();
    }

    /** Waits until it says this, and nothing else before. */
    public void await(String line) throws InterruptedException {
        String next = next();
        if (!next.equals(line)) {
            throw new IllegalStateException("a program said '" + next + "', not '" + line + "'; " + log);
        }
    }

    /** The next that it says. */
    public String next() throws InterruptedException {
        String next = said.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        return next == null ? "nothing" : next;
    }

    /** The next lines, so many, in whatever order. */
    public Set<String> next(int count) throws InterruptedException {
        Set<String> lines = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            lines.add(next());
        }
        return lines;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
            }
        } catch (IOException gone) {
            said.add(ENDED);
            return;
        }
        said.add(ENDED);
    }
}
