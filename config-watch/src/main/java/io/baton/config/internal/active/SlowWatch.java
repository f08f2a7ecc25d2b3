package io.baton.config.internal.active;

import io.baton.recipe.ClientLoop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Warns of slow calls of users' code, once for each call. It rarely needs a timer, however often the code is called.
 * Only one thread at a time may call {@link #begin} and {@link #end}.
 */
public final class SlowWatch {

    private final ClientLoop loop;
    private final Duration limit;
    private final Consumer<Duration> warn;
    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile @Nullable Call call;

    /** One call. */
    private record Call(long since) {}

    /** {@code warn} runs on the loop. */
    public SlowWatch(ClientLoop loop, Duration limit, Consumer<Duration> warn) {
        this.loop = loop;
        this.limit = limit;
        this.warn = warn;
    }

    /** Marks the beginning of a call. */
    public void begin() {
        call = new Call(loop.nanoTime());
        arm(limit);
    }

    /** Marks the end of the call. */
    public void end() {
        call = null;
    }

    private void arm(Duration in) {
        if (armed.compareAndSet(false, true)) {
            var unused = loop.after(in, this::check);
        }
    }

    private void check() {
        armed.set(false);
        Call now = call;
        if (now == null) {
            return;
        }
        Duration running = Duration.ofNanos(loop.nanoTime() - now.since());
        if (running.compareTo(limit) < 0) {
            arm(limit.minus(running));
        } else {
            warn.accept(running);
        }
    }
}
