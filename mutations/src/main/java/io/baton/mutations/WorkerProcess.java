package io.baton.mutations;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The JVM in which a {@link Worker} runs; begun when it is needed, and anew after it had to be ended. One thread. */
final class WorkerProcess implements AutoCloseable {

    /** Thrown if the JVM ended by itself, as one does that runs out of memory. */
    static final class Ended extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final int AT_MOST = 4;

    private final Path root;
    private final Path folder;
    private final List<Path> classPath;
    private final Path log;
    private final ExecutorService reader = Executors.newSingleThreadExecutor(task -> {
        var thread = new Thread(task, "worker");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable Running running;

    private record Running(Process process, ObjectOutputStream to, ObjectInputStream from) {}

    /**
     * Nothing is begun yet.
     *
     * @param folder where it runs
     * @param classPath what is put before this JVM's class path
     * @param log gets what it prints
     */
    WorkerProcess(Path root, Path folder, List<Path> classPath, Path log) {
        this.root = root;
        this.folder = folder;
        this.classPath = List.copyOf(classPath);
        this.log = log;
    }

    /** Whether a new one would have to be begun. */
    boolean isGone() {
        return running == null;
    }

    /**
     * Has a trial made.
     *
     * @throws TimeoutException if that takes more of the processor's time, or four times as long; the JVM is ended then
     * @throws Ended if the JVM has ended by itself
     */
    Object ask(Trial trial, Duration limit) throws IOException, InterruptedException, TimeoutException, Ended {
        Running now = running == null ? begin() : running;
        running = now;
        Future<Object> answer = reader.submit(() -> {
            now.to().writeObject(trial);
            now.to().reset();
            now.to().flush();
            return now.from().readObject();
        });
        try {
            return answer(answer, now.process().toHandle(), limit);
        } catch (TimeoutException late) {
            close();
            throw late;
        } catch (ExecutionException failed) {
            close();
            var ended = new Ended();
            ended.initCause(failed.getCause());
            throw ended;
        }
    }

    /** The limit is one of the processor's time, as the machine may be busy; what waits for nothing takes none. */
    private static Object answer(Future<Object> answer, ProcessHandle process, Duration limit)
            throws InterruptedException, ExecutionException, TimeoutException {
        Duration used = used(process);
        long began = System.nanoTime();
        while (true) {
            try {
                return answer.get(200, TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                boolean late = used(process).minus(used).compareTo(limit) > 0
                        || System.nanoTime() - began > AT_MOST * limit.toNanos();
                if (late) {
                    throw notYet;
                }
            }
        }
    }

    private static Duration used(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private Running begin() throws IOException {
        var command = new ArrayList<String>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmn128m",
                "-Xmx1g",
                // What is exchanged is compiled anew each time, so compiling has to be cheap.
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-javaagent:" + root.resolve("mutations/target/baton-mutations.jar"),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-Dzookeeper.admin.enableServer=false"));
        if (Runtime.version().feature() >= 24) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        Stream<String> ours = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(each -> Path.of(each).toAbsolutePath().toString());
        command.addAll(List.of(
                "-cp",
                String.join(
                        File.pathSeparator,
                        Stream.concat(classPath.stream().map(Path::toString), ours)
                                .toList()),
                Worker.class.getName()));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(Redirect.appendTo(log.toFile()))
                .start();
        return new Running(
                process,
                new ObjectOutputStream(process.getOutputStream()),
                new ObjectInputStream(new BufferedInputStream(process.getInputStream())));
    }

    @Override
    public void close() {
        if (running != null) {
            running.process().destroyForcibly();
            running = null;
        }
    }
}
