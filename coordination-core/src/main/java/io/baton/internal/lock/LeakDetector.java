package io.baton.internal.lock;

import io.baton.Hold;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LogLimit;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Warns of holds that have become garbage before they were closed. A program receives a {@link TrackedHold}, to which
 * nothing here refers. When that is gone, the hold behind it shows whether it has ended. Any thread.
 */
public final class LeakDetector implements HoldHandles {

    /** The limit of lines within {@link #PERIOD}: enough to notice a leak on a path that is often taken. */
    static final int LINES = 20;

    static final Duration PERIOD = Duration.ofMinutes(1);

    /** One thread for the whole process, from the first detector on. */
    private static @Nullable Cleaner shared;

    private final Cleaner cleaner = cleaner();
    private final ClientLoop loop;
    private final Logger log;
    private final LogLimit limit = new LogLimit(LINES, PERIOD);

    public LeakDetector(ClientLoop loop, Logger log) {
        this.loop = loop;
        this.log = log;
    }

    /**
     * Returns the cleaner. If there is no thread for it, this fails, and a later call tries again: a class whose
     * initialization has failed would fail for ever, and each acquisition with it.
     */
    private static synchronized Cleaner cleaner() {
        Cleaner present = shared;
        if (present == null) {
            present = Cleaner.create();
            shared = present;
        }
        return present;
    }

    @Override
    public Function<FencedHold, Hold> here() {
        Throwable acquired = new Throwable(
                "acquired here, by thread " + Thread.currentThread().getName());
        return granted -> new TrackedHold(granted, new Watch(this, granted, acquired));
    }

    void report(FencedHold leaked, Throwable acquired) {
        OptionalLong keptBack = limit.admit(Instant.ofEpochMilli(loop.wallMillis()));
        if (keptBack.isPresent()) {
            long others = keptBack.getAsLong();
            log.warn(
                    "{} was never closed, and nothing of the program refers to it any more: it stays held until the"
                            + " coordinator is closed or its session ends{}",
                    leaked,
                    others == 0 ? "" : " (" + others + " other leaks were kept back)",
                    acquired);
        }
    }

    /** The data of a handle, without a reference that would keep it from being collected. */
    static final class Watch implements Runnable {

        private final LeakDetector detector;
        private final FencedHold hold;
        private final Throwable acquired;

        private Watch(LeakDetector detector, FencedHold hold, Throwable acquired) {
            this.detector = detector;
            this.hold = hold;
            this.acquired = acquired;
        }

        /** Watches the handle; the action runs once, when the handle is gone or the watch is cleaned. */
        Cleaner.Cleanable over(TrackedHold handle) {
            return detector.cleaner.register(handle, this);
        }

        /** Reports the hold unless it has ended: a lost or released hold blocks no other client. */
        @Override
        public void run() {
            if (!hold.hasEnded()) {
                detector.report(hold, acquired);
            }
        }
    }
}
