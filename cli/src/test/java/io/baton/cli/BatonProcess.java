package io.baton.cli;

import io.baton.cli.run.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command in a process of its own, as a shell would run it. */
public final class BatonProcess implements AutoCloseable {

    /** The program and its flags, as in the script of the distribution. */
    static final List<String> JVM = Jvm.ofMegabytes(128);

    private final Process process;
    private final Path out;
    private final Path err;

    private BatonProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it; what it prints goes to files in this directory. */
    public static BatonProcess start(Path directory, Map<String, String> environment, List<String> args) {
        return launch(directory, environment, List.of(), args);
    }

    /** Starts it as one of many, which leaves the processors to whoever else needs them: other tests run on short timeouts. */
    public static BatonProcess startPolitely(Path directory, Map<String, String> environment, List<String> args) {
        return launch(directory, environment, List.of("nice", "-n", "19"), args);
    }

    /** Starts it with this limit of open files, below the one that it may raise it to. */
    public static BatonProcess startWithFiles(
            int files, Path directory, Map<String, String> environment, List<String> args) {
        return launch(directory, environment, List.of("sh", "-c", "ulimit -Sn \"$0\"; exec \"$@\"", "" + files), args);
    }

    /** Starts it in a process group of its own, as a shell with job control would. */
    public static BatonProcess startGroup(Path directory, List<String> args) {
        return launch(directory, Map.of(), List.of("setsid"), args);
    }

    /** Starts it in this script of a shell, in which it is {@code "$@"}. */
    public static BatonProcess startInShell(Path directory, String script, List<String> args) {
        return launch(directory, Map.of(), List.of("sh", "-c", script, "sh"), args);
    }

    /** Starts it as a job of a shell with job control, so that it can be stopped as by Ctrl-Z. */
    public static BatonProcess startJob(Path directory, Map<String, String> environment, List<String> args) {
        // Off again for the waiting, which would end when the job is stopped.
        String script = "set -m; job=$0; \"$@\" & set +m; echo $! >\"$job.new\"; mv \"$job.new\" \"$job\"; wait $!";
        Path job = directory.resolve("job");
        return launch(directory, environment, List.of("setsid", "bash", "-c", script, job.toString()), args);
    }

    /** Another program of this class path, in a process of its own. */
    public static BatonProcess startProgram(Path directory, Class<?> main, String... args) {
        return launch(directory, Map.of(), List.of(), main, List.of(args));
    }

    private static BatonProcess launch(
            Path directory, Map<String, String> environment, List<String> prefix, List<String> args) {
        return launch(directory, environment, prefix, Main.class, args);
    }

    private static BatonProcess launch(
            Path directory, Map<String, String> environment, List<String> prefix, Class<?> main, List<String> args) {
        var line = new ArrayList<>(prefix);
        try {
            line.addAll(line(directory, main, args));
            Path out = Files.createTempFile(directory, "baton-", ".out");
            Path err = Files.createTempFile(directory, "baton-", ".err");
            ProcessBuilder builder = new ProcessBuilder(line)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().remove("BATON_CONNECT");
            builder.environment().putAll(environment);
            return new BatonProcess(builder.start(), out, err);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The line that starts it, with temporary files in this directory. */
    public static List<String> line(Path directory, List<String> args) throws IOException {
        return line(directory, Main.class, args);
    }

    private static List<String> line(Path directory, Class<?> main, List<String> args) throws IOException {
        var line = new ArrayList<>(JVM);
        line.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
        line.add("-Djava.io.tmpdir=" + directory);
        if (main == Main.class) {
            line.addAll(CommandClasses.options());
            line.addAll(List.of("-cp", CommandClasses.path()));
        } else {
            line.addAll(List.of("-cp", classPath()));
        }
        line.add(main.getName());
        line.addAll(args);
        return line;
    }

    private static String classPath() {
        String own = System.getProperty("java.class.path");
        return System.getProperty("surefire.test.class.path", own);
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Its exit status, once it has ended. */
    public int status() throws InterruptedException {
        return statusWithin(60);
    }

    /** Its process. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Its exit status, once it has ended, which must be within this time. */
    public int statusWithin(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("still running; so far it said: " + err());
        }
        return process.exitValue();
    }

    /** What it has printed so far. */
    public String out() {
        return read(out);
    }

    /** What it has printed to stderr so far. */
    public String err() {
        return read(err);
    }

    /** Sends it a signal. */
    public void signal(String name) throws InterruptedException {
        kill("-s", name, Long.toString(process.pid()));
    }

    /** Sends a signal to its whole process group. */
    public void signalGroup(String name) throws InterruptedException {
        kill("-s", name, "--", "-" + process.pid());
    }

    /** Sends a signal to the process, or with a minus to the group, of this number. */
    public static void signal(String name, String pid) throws InterruptedException {
        kill("-s", name, "--", pid);
    }

    private static void kill(String... args) throws InterruptedException {
        var line = new ArrayList<>(List.of("sh", "-c", "kill \"$@\"", "kill"));
        line.addAll(List.of(args));
        try {
            int status = new ProcessBuilder(line).start().waitFor();
            if (status != 0) {
                throw new AssertionError(line + " failed");
            }
        } catch (IOException noShell) {
            throw new UncheckedIOException(noShell);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
