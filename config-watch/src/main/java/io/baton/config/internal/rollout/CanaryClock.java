package io.baton.config.internal.rollout;

import io.baton.config.internal.record.CanaryRecord;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Measures how long the canary has been known here, and ends it when that reaches its duration. An instance that was
 * not chosen waits a little longer; it ends the canary if all chosen instances are gone. Any thread.
 */
public final class CanaryClock implements AutoCloseable {

    private static final Duration SPARE = Duration.ofSeconds(5);

    private final ClientLoop loop;
    private final Consumer<String> onOver;
    private String id = "";
    private boolean tried;
    private long knownSince;
    private Loop.Timer timer = () -> {};

    /** {@code onOver} receives the id, once, on the loop. */
    public CanaryClock(ClientLoop loop, Consumer<String> onOver) {
        this.loop = loop;
        this.onOver = onOver;
    }

    /** Returns whether it is still running, for an instance that tries it. Its time counts from the first call. */
    boolean isRunning(CanaryRecord canary) {
        return runs(canary, true);
    }

    /** Watches a canary that other instances try. */
    void watch(CanaryRecord canary) {
        runs(canary, false);
    }

    private synchronized boolean runs(CanaryRecord canary, boolean here) {
        if (canary.lasts().isZero()) {
            none();
            return true;
        }
        String its = canary.id();
        boolean known = its.equals(id);
        if (!known) {
            id = its;
            knownSince = loop.nanoTime();
        }
        Duration left = canary.lasts().minusNanos(loop.nanoTime() - knownSince);
        if (!known || here != tried) {
            tried = here;
            Duration from = left.isNegative() ? Duration.ZERO : left;
            restart(here ? from : from.plus(loop.jittered(SPARE)), () -> onOver.accept(its));
        }
        return left.compareTo(Duration.ZERO) > 0;
    }

    private void restart(Duration after, Runnable then) {
        timer.cancel();
        timer = loop.after(after, then);
    }

    /** Schedules another attempt to end a canary that could not be ended, unless it is gone by then. */
    public synchronized void endLater(String its, Runnable then) {
        if (its.equals(id)) {
            restart(loop.jittered(SPARE), then);
        }
    }

    /** Stops the clock: there is no canary, or it has ended. */
    synchronized void none() {
        timer.cancel();
        id = "";
    }

    @Override
    public synchronized void close() {
        none();
    }
}
