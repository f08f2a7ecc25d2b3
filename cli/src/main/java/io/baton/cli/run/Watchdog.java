package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Signals.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Baton's side of the watchdog, a small process that starts the command and ends it when baton cannot.
 *
 * <p>No method waits for the watchdog without a limit, except for the command to end. Messages wait in a queue for a
 * single sending thread, which sends only the newest of several deadlines.
 */
final class Watchdog implements AutoCloseable {

    /**
     * The end of the command.
     *
     * @param status its exit status; 128+n if signal n ended it
     * @param forced whether the watchdog or baton had asked it to end, since its mandate ended
     */
    record Exited(int status, boolean forced) {}

    // A JVM starts with a tenth of a second of work. On an overloaded machine that took 30 s.
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration END_LIMIT = Duration.ofSeconds(2);
    private static final String DEADLINE = "deadline";
    private static final String DONE = "done";

    private final Process process;
    private final WatchdogSocket watchdogSocket;
    private final long spawned;
    private final CompletableFuture<Long> ready = new CompletableFuture<>();
    private final CompletableFuture<Exited> exited = new CompletableFuture<>();
    private final LinkedBlockingQueue<String> orders = new LinkedBlockingQueue<>();
    private final AtomicBoolean deadlineQueued = new AtomicBoolean();
    private volatile long deadline;
    private volatile @Nullable ProcessHandle command;
    private volatile @Nullable Long stuck;
    private volatile @Nullable Long killing;

    private Watchdog(Process process, long spawned, WatchdogSocket watchdogSocket) {
        this.process = process;
        this.spawned = spawned;
        this.watchdogSocket = watchdogSocket;
    }

    /**
     * Starts the process without waiting for it.
     *
     * @param names the names of the locks, for the command's environment
     * @throws Failure if it cannot be started
     */
    static Watchdog start(List<String> names, Duration grace, StatusFile statusFile, List<String> command) {
        try {
            WatchdogSocket watchdogSocket = WatchdogSocket.open();
            try {
                var line = new ArrayList<String>();
                Executable.find("setsid").ifPresent(path -> line.add(path.toString()));
                line.addAll(Jvm.small(WatchdogMain.class));
                line.add(watchdogSocket.directory().toString());
                line.add(Long.toString(grace.toMillis()));
                line.add(Boolean.toString(OrphanProcesses.ownedByAnother()));
                line.add(statusFile.argument());
                line.addAll(command);
                ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
                builder.environment()
                        .putAll(Map.of(
                                "BATON_NAME",
                                String.join("\n", names),
                                OrphanProcesses.VARIABLE,
                                watchdogSocket.mark()));
                long now = System.nanoTime();
                var watchdog = new Watchdog(builder.start(), now, watchdogSocket);
                watchdog.listen();
                return watchdog;
            } catch (IOException | RuntimeException refused) {
                watchdogSocket.close();
                throw refused;
            }
        } catch (IOException refused) {
            throw broken("cannot start the watchdog: " + refused.getMessage());
        }
    }

    /**
     * Waits until it is ready to start the command.
     *
     * @throws Failure if it does not become ready
     */
    void awaitReady() throws InterruptedException {
        long told;
        try {
            told = ready.get(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            throw broken("the watchdog does not get ready");
        } catch (ExecutionException failed) {
            throw broken("the watchdog did not start");
        }
        // Deadlines are times of the monotonic clock, which must be the same for both processes.
        if (told - spawned < 0 || System.nanoTime() - told < 0) {
            throw broken("the watchdog's clock is not that of baton: processes share none on this system");
        }
    }

    /**
     * Starts the command; {@link #exited} fails if that is impossible.
     *
     * @param until when the hold ends by {@link System#nanoTime}, unless {@link #deadline} changes it
     */
    void run(String token, long until) {
        orders.add("start " + until + " " + token);
    }

    /** Sends the time at which the hold ends, by {@link System#nanoTime}. */
    void deadline(long until) {
        deadline = until;
        if (deadlineQueued.compareAndSet(false, true)) {
            orders.add(DEADLINE);
        }
    }

    /** Sends a signal to the command and its descendants. */
    void signal(Signal signal) {
        orders.add("signal " + signal.name());
    }

    /** Asks the command to end, since its mandate ends. */
    void end() {
        orders.add("end");
    }

    /**
     * Completes once the command has ended. Fails with a {@link Failure} if it could not be started, and with that of
     * {@link Exit#CANNOT_GUARD} if the watchdog has ended.
     */
    CompletableFuture<Exited> exited() {
        return exited;
    }

    /** A process of the command that the watchdog could not end; empty if there was none. */
    OptionalLong stuck() {
        Long process = stuck;
        return process == null ? OptionalLong.empty() : OptionalLong.of(process);
    }

    /** When the watchdog last said that it kills the command, by {@link System#nanoTime}; empty if it never has. */
    OptionalLong killing() {
        Long last = killing;
        return last == null ? OptionalLong.empty() : OptionalLong.of(last);
    }

    /** Kills the watchdog; the command runs on. */
    void kill() {
        process.destroyForcibly();
    }

    /** The command that runs without a watchdog, if any. */
    Abandoned abandoned() {
        return new Abandoned(command, new OrphanProcesses(watchdogSocket.mark()), Signaller::group);
    }

    /** Sends the watchdog its end, and waits for it; kills it after 2 s. */
    @Override
    public void close() {
        orders.add(DONE);
        try {
            if (!process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            watchdogSocket.close();
        }
    }

    private void listen() {
        daemon("baton-watchdog-reader", this::read);
        // A watchdog that ends without connecting would leave the reader waiting.
        CompletableFuture<Void> unused = process.onExit().thenRun(watchdogSocket::close);
    }

    private void read() {
        try (LineChannel channel = watchdogSocket.accept()) {
            daemon("baton-watchdog-writer", () -> write(channel));
            for (String line = channel.next(); line != null; line = channel.next()) {
                onLine(line.split(" ", 3));
            }
        } catch (IOException gone) {
            // Handled below.
        }
        Failure lost = broken("the watchdog has ended");
        ready.completeExceptionally(lost);
        exited.completeExceptionally(lost);
    }

    private void onLine(String[] words) {
        switch (words[0]) {
            case "ready" -> ready.complete(Long.parseLong(words[1]));
            case "started" ->
                command = ProcessHandle.of(Long.parseLong(words[1])).orElse(null);
            case "killing" -> killing = System.nanoTime();
            case "stuck" -> stuck = Long.parseLong(words[1]);
            case "refused" -> exited.completeExceptionally(new Failure(Integer.parseInt(words[1]), words[2]));
            case "exited" -> exited.complete(new Exited(Integer.parseInt(words[1]), Boolean.parseBoolean(words[2])));
            default -> throw new IllegalStateException(String.join(" ", words));
        }
    }

    private void write(LineChannel channel) {
        try {
            for (String order = orders.take(); !order.equals(DONE); order = orders.take()) {
                if (order.equals(DEADLINE)) {
                    deadlineQueued.set(false);
                    channel.send(DEADLINE + " " + deadline);
                } else {
                    channel.send(order);
                }
            }
            channel.send(DONE);
        } catch (IOException | InterruptedException gone) {
            // The reader reports it.
        }
    }

    private static Failure broken(String what) {
        return new Failure(Exit.CANNOT_GUARD, what);
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
