package io.baton.benchmarks.scale;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A client under load: waits, holds, and tells what happens. */
final class LoadWorker {

    private static final int SAMPLES_PER_STATUS = 4;
    private static final int WARM_UP = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Coordinator coordinator;
    private final PrintStream out;
    private final HoldSampler sampler;
    private final Queue<String> news = new ConcurrentLinkedQueue<>();
    private final Queue<Hold> kept = new ConcurrentLinkedQueue<>();
    private final AtomicInteger notYetHeld = new AtomicInteger();
    private long heapPeak;

    LoadWorker(Coordinator coordinator, PrintStream out) {
        this.coordinator = coordinator;
        this.out = out;
        this.sampler = new HoldSampler(coordinator.ttl());
    }

    /** Begins to sample and to tell. */
    void start() {
        coordinator.onState(state -> news.add(LoadReport.STATE + " " + state));
        Thread thread = new Thread(this::sample, "sampler");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Holds a lock for which nobody else waits. This process acquires and releases the lock many times first: a JVM that has
     * just started still loads and compiles its classes.
     */
    void quiet(String name) throws InterruptedException {
        for (int i = 0; i < WARM_UP; i++) {
            coordinator.lock(name).acquire().close();
        }
        sampler.add(List.of(coordinator.lock(name).acquire()));
        news.add(LoadReport.READY);
    }

    /** Acquires locks and keeps them. */
    void hold(LoadLock lock, String prefix, int lines) {
        notYetHeld.set(lines);
        for (int i = 0; i < lines; i++) {
            acquire(lock::acquireAll, prefix + i).whenComplete((hold, failure) -> {
                if (hold == null) {
                    failed(failure);
                } else {
                    kept.add(hold);
                    news.add(LoadReport.HELD);
                }
                if (notYetHeld.decrementAndGet() == 0) {
                    sampler.add(List.copyOf(kept));
                }
            });
        }
    }

    /** Releases what was kept. */
    void release() {
        for (Hold hold = kept.poll(); hold != null; hold = kept.poll()) {
            hold.releaseAsync();
        }
    }

    /** Waits for locks in turns, and releases each as soon as it is granted. */
    void queue(LoadLock lock, String prefix, int lines, int count) {
        for (int i = 0; i < count; i++) {
            int line = i % lines;
            int number = i;
            acquire((baton, name) -> lock.acquire(baton, name, number), prefix + line)
                    .whenComplete((hold, failure) -> {
                        if (hold == null) {
                            failed(failure);
                        } else {
                            granted(line, hold);
                        }
                    });
        }
    }

    /** Its connection is being cut. */
    void cutOff() {
        sampler.cutOff();
    }

    /** Calls what lists a line. */
    void attempt(String name) throws InterruptedException {
        DistributedLock lock = coordinator.lock(name);
        Duration request = CoordinatorOptions.defaults().requestTimeout();
        attempt("tryAcquire(3s)", PATIENCE, () -> lock.tryAcquire(PATIENCE).isPresent() ? "granted" : "not granted");
        attempt("tryAcquire()", request, () -> lock.tryAcquire().isPresent() ? "granted" : "not granted");
        attempt("queue()", request, () -> lock.queue().size() + " entries");
    }

    private void attempt(String call, Duration limit, Call answer) throws InterruptedException {
        long start = System.nanoTime();
        String outcome;
        boolean refused = false;
        try {
            outcome = answer.get();
        } catch (CoordinationException refusal) {
            outcome = refusal.toString();
            refused = true;
        }
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        news.add(LoadReport.ATTEMPT + " " + new Attempt(call, limit.toMillis(), millis, refused, outcome).words());
    }

    private CompletableFuture<? extends Hold> acquire(
            BiFunction<Coordinator, String, CompletableFuture<? extends Hold>> lock, String name) {
        try {
            return lock.apply(coordinator, name);
        } catch (CoordinationException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void granted(int line, Hold hold) {
        long from = System.nanoTime();
        boolean lost = hold.state() == HoldState.LOST;
        Grant grant = new Grant(line, from, System.nanoTime(), hold.token());
        hold.releaseAsync();
        news.add((lost ? LoadReport.LOST : LoadReport.GRANTED) + " " + grant.words());
    }

    private void failed(@Nullable Throwable failure) {
        news.add(LoadReport.FAILED + " " + String.valueOf(failure).replace('\n', ' '));
    }

    private void sample() {
        Runtime runtime = Runtime.getRuntime();
        try {
            for (int i = 1; ; i++) {
                sampler.sample();
                heapPeak = Math.max(heapPeak, runtime.totalMemory() - runtime.freeMemory());
                if (i % SAMPLES_PER_STATUS == 0) {
                    news.add(LoadReport.STATUS + " " + sampler.least() + " " + sampler.leastCutOff() + " "
                            + sampler.lost() + " " + heapPeak);
                }
                for (String line = news.poll(); line != null; line = news.poll()) {
                    out.println(line);
                }
                Thread.sleep(HoldSampler.PERIOD_MILLIS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** A call that gives a text. */
    private interface Call {
        String get() throws InterruptedException;
    }
}
