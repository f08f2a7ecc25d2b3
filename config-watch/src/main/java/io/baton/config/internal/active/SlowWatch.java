package io.baton.config.internal.active;

import io.baton.recipe.ClientLoop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Warns of a user's code that takes long, once for each time that it is called. It needs a timer only once in a while, however
 * often the code is called. {@link #begin} and {@link #end} by one thread at a time.
 */
public final class SlowWatch {

    private final ClientLoop loop;
    private final Duration limit;
    private final Consumer<Duration> warn;
    private final AtomicBoolean armed = new AtomicBoolean();
    private volatile @Nullable Call call;

    /** One call. */
    private record Call(long since) {}

    /** Warns on the loop. */
    public SlowWatch(ClientLoop loop, Duration limit, Consumer<Duration> warn) {
        this.loop = loop;
        this.limit = limit;
        this.warn = warn;
    }

    /** The code is about to be called. */
    public void begin() {
        call = new Call(loop.nanoTime());
        arm(limit);
    }

    /** It has returned. */
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
