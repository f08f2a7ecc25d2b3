package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.LockView;
import io.baton.QueueEntry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/** Ways to get a lock: without waiting, for a while, without a thread, and as a lock of the JDK. */
final class NightlyReport {

    private NightlyReport() {}

    // tag::try[]
    /** Reports, unless another process does; false if it does, and still does after this time. */
    static boolean reportWithin(Coordinator baton, Duration patience, LongConsumer report) throws InterruptedException {
        return baton.lock("nightly-report").runIfAcquired(patience, hold -> {
            hold.ensureValid(Duration.ofSeconds(1)); // throws unless that much time is certain
            report.accept(hold.token());
        }); // released, however that ended
    }
    // end::try[]

    // tag::async[]
    /** Reports when it is this process's turn, and blocks no thread until then. Cancelling leaves the line. */
    static CompletableFuture<Void> reportLater(Coordinator baton, Executor workers, LongConsumer report) {
        CompletableFuture<Hold> acquired = baton.lock("nightly-report").acquireAsync();
        // The hold is closed however that ends, unless the workers drop the task, as shutdownNow() does.
        CompletableFuture<Void> reported = acquired.thenAcceptAsync(hold -> report.accept(hold.token()), workers)
                .whenComplete((done, failure) -> acquired.thenAccept(Hold::close));
        CompletableFuture<Void> result = reported.copy(); // cancelling a copy skips none of the above
        result.whenComplete((done, failure) -> acquired.cancel(false)); // has no effect once the lock is held
        return result;
    }
    // end::async[]

    // tag::view[]
    /** Reports under a lock that other code of this process takes again, in the same thread. */
    static void reportNested(LockView lock, LongConsumer report) { // from baton.lock("nightly-report").asLock()
        lock.lock();
        try {
            report.accept(lock.current().orElseThrow().token());
        } finally {
            lock.unlock();
        }
    }
    // end::view[]

    // tag::queue[]
    /** Says which process reports; empty if none does. */
    static Optional<String> reporter(Coordinator baton) throws InterruptedException {
        return baton.lock("nightly-report").queue().stream()
                .filter(QueueEntry::holder)
                .map(entry -> entry.client() + " on " + entry.host() + ", process " + entry.pid())
                .findFirst();
    }
    // end::queue[]
}
