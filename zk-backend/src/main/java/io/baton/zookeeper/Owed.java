package io.baton.zookeeper;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What has to be done once the session is in contact again. */
final class Owed {

    /** For an answer of "connection lost" that no break of the connection follows. */
    private static final Duration AT_THE_LATEST = Duration.ofSeconds(1);

    private final Loop loop;
    private final BooleanSupplier connected;
    private List<Runnable> tasks = new ArrayList<>();
    private Loop.@Nullable Timer timer;

    Owed(Loop loop, BooleanSupplier connected) {
        this.loop = loop;
        this.connected = connected;
    }

    void add(Runnable task) {
        tasks.add(task);
        if (timer == null && connected.getAsBoolean()) {
            timer = loop.after(AT_THE_LATEST, () -> {
                timer = null;
                if (connected.getAsBoolean()) {
                    settleAll();
                }
            });
        }
    }

    void settleAll() {
        List<Runnable> due = tasks;
        tasks = new ArrayList<>();
        due.forEach(Runnable::run);
    }

    void clear() {
        tasks = new ArrayList<>();
        if (timer != null) {
            timer.cancel();
        }
    }
}
