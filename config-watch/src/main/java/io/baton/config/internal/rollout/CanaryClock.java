package io.baton.config.internal.rollout;

import io.baton.config.internal.record.CanaryRecord;
import io.baton.recipe.ClientLoop;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How long the canary has been known here: when it has been for as long as it lasts, it is over. An instance that was not
 * chosen waits a little longer: it ends the canary of instances that are all gone. Any thread.
 */
public final class CanaryClock implements AutoCloseable {

    private static final Duration SPARE = Duration.ofSeconds(5);

    private final ClientLoop loop;
    private final Consumer<String> onOver;
    private String id = "";
    private boolean tried;
    private long knownSince;
    private Loop.Timer timer = () -> {};

    /** {@code onOver} is told the id, once, on the loop. */
    public CanaryClock(ClientLoop loop, Consumer<String> onOver) {
        this.loop = loop;
        this.onOver = onOver;
    }

    /** Whether it goes on, for an instance that tries it. Its time counts from the first call. */
    boolean isRunning(CanaryRecord canary) {
        return runs(canary, true);
    }

    /** The canary is tried by others. */
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

    /** It is over and could not be ended: {@code then} tries again in a while, if the canary is still there. */
    public synchronized void endLater(String its, Runnable then) {
        if (its.equals(id)) {
            restart(loop.jittered(SPARE), then);
        }
    }

    /** There is none, or it has ended. */
    synchronized void none() {
        timer.cancel();
        id = "";
    }

    @Override
    public synchronized void close() {
        none();
    }
}
