package io.baton.config.internal.rollout;

import io.baton.config.internal.record.CanaryRecord;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Loop;
import java.util.function.Consumer;

/** How long the canary has been known here: when it has been for as long as it lasts, it is over. Any thread. */
public final class CanaryClock implements AutoCloseable {

    private final ClientLoop loop;
    private final Consumer<String> onOver;
    private String id = "";
    private long knownSince;
    private Loop.Timer timer = () -> {};

    /** {@code onOver} is told the id, once, on the loop. */
    public CanaryClock(ClientLoop loop, Consumer<String> onOver) {
        this.loop = loop;
        this.onOver = onOver;
    }

    /** Whether it goes on. Its time counts from the first call. */
    synchronized boolean isRunning(CanaryRecord canary) {
        if (canary.lasts().isZero()) {
            return true;
        }
        String its = canary.id();
        if (!its.equals(id)) {
            timer.cancel();
            id = its;
            knownSince = loop.nanoTime();
            timer = loop.after(canary.lasts(), () -> onOver.accept(its));
        }
        return loop.nanoTime() - knownSince < canary.lasts().toNanos();
    }

    /** There is none, or it has ended. */
    synchronized void none() {
        timer.cancel();
        id = "";
    }

    @Override
    public synchronized void close() {
        timer.cancel();
    }
}
