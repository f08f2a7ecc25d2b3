package io.baton.spi.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Makes blocking calls in parallel. */
public final class ParallelCalls {

    private ParallelCalls() {}

    /**
     * Makes one call per element, each on a thread of its own, and waits for all. A call for which no thread can be
     * started runs in the calling thread.
     *
     * @param thread the name of the threads
     * @return the results, in the order of the elements
     * @throws IllegalStateException if a call throws
     */
    public static <T, R> List<R> map(List<T> all, String thread, Function<T, R> call) throws InterruptedException {
        List<CompletableFuture<R>> begun = all.stream()
                .map(each -> {
                    var result = new CompletableFuture<R>();
                    Runnable task = () -> complete(result, each, call);
                    if (Background.start(thread, task).isEmpty()) {
                        task.run();
                    }
                    return result;
                })
                .toList();
        List<R> results = new ArrayList<>();
        for (CompletableFuture<R> one : begun) {
            try {
                results.add(one.get());
            } catch (ExecutionException broken) {
                throw new IllegalStateException(thread + " broke", broken.getCause());
            }
        }
        return results;
    }

    private static <T, R> void complete(CompletableFuture<R> result, T each, Function<T, R> call) {
        try {
            result.complete(call.apply(each));
        } catch (Throwable broken) {
            result.completeExceptionally(broken);
        }
    }
}
