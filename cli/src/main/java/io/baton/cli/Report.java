package io.baton.cli;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Prints Baton's own lines on stderr, in their order. Stdout and the rest of stderr belong to the command that it runs.
 */
public final class Report {

    /** How many lines may wait for a stderr that is not read; those beyond are dropped. */
    private static final int WAITING = 100;

    private static final Duration FLUSH = Duration.ofSeconds(1);

    private static final Executor PRINTER =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), task -> {
                Thread thread = new Thread(task, "report");
                thread.setDaemon(true);
                return thread;
            });

    private Report() {}

    /** Prints the text as one line, whatever it contains. Waits until it is written, however long that takes. */
    public static void line(String text) {
        print(text).join();
    }

    /** Prints the text likewise, without waiting: a write blocks while the reader of stderr is stopped. */
    public static void lineAside(String text) {
        CompletableFuture<Void> unused = print(text);
    }

    /** Waits until all lines are written, at most for a second. */
    public static void flush() {
        run(() -> {})
                .completeOnTimeout(null, FLUSH.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private static CompletableFuture<Void> print(String text) {
        return run(() -> System.err.println("baton: " + Text.line(text)));
    }

    private static CompletableFuture<Void> run(Runnable task) {
        try {
            return CompletableFuture.runAsync(task, PRINTER);
        } catch (RejectedExecutionException full) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
