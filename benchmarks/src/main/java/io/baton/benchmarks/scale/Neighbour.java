package io.baton.benchmarks.scale;

import io.baton.Coordinator;
import io.baton.SessionState;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A coordinator in this process that has nothing to do with the load: holds a lock for which nobody else waits. */
final class Neighbour implements AutoCloseable {

    private final Coordinator coordinator;
    private final HoldSampler sampler;
    private final AtomicInteger suspended = new AtomicInteger();
    private final AtomicInteger sessionsLost = new AtomicInteger();
    private final Thread thread = new Thread(this::sample, "neighbour");
    private volatile double least = 1;

    private Neighbour(Coordinator coordinator) {
        this.coordinator = coordinator;
        this.sampler = new HoldSampler(coordinator.ttl());
    }

    /** Connects and acquires. */
    static Neighbour start(String uri) throws InterruptedException {
        Neighbour neighbour = new Neighbour(Coordinator.connect(uri));
        neighbour.sampler.add(List.of(neighbour.coordinator.lock("neighbour").acquire()));
        neighbour.coordinator.onState(neighbour::onState);
        neighbour.thread.setDaemon(true);
        neighbour.thread.start();
        return neighbour;
    }

    double least() {
        return least;
    }

    long lost() {
        return sampler.lost();
    }

    int suspended() {
        return suspended.get();
    }

    int sessionsLost() {
        return sessionsLost.get();
    }

    @Override
    public void close() {
        thread.interrupt();
        coordinator.close();
    }

    private void onState(SessionState state) {
        if (state == SessionState.SUSPENDED) {
            suspended.incrementAndGet();
        } else if (state == SessionState.LOST) {
            sessionsLost.incrementAndGet();
        }
    }

    private void sample() {
        try {
            while (true) {
                sampler.sample();
                least = sampler.least();
                Thread.sleep(HoldSampler.PERIOD_MILLIS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
