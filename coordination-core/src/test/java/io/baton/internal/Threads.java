package io.baton.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** What tests need to know of threads. */
public final class Threads {

    /** What a thread does that may throw. */
    public interface Work<T> {
        T run() throws Exception;
    }

    private Threads() {}

    /** Runs in a new thread. */
    public static <T> Started<T> start(Work<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.run());
            } catch (Throwable failed) {
                result.completeExceptionally(failed);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return new Started<>(thread, result);
    }

    public record Started<T>(Thread thread, CompletableFuture<T> result) {}

    /** The live threads whose name starts like this. */
    public static List<String> named(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .collect(Collectors.toList());
    }
}
