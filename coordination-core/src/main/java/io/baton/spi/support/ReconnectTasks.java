package io.baton.spi.support;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What has to be done once the session is in contact again. */
public final class ReconnectTasks {

    /** For an answer of "connection lost" that no break of the connection follows. */
    private static final Duration AT_THE_LATEST = Duration.ofSeconds(1);

    /** What is owed for as long as somebody wants it. */
    private record Task(BooleanSupplier wanted, Runnable run) {}

    private static final int FEW = 256;

    private final Loop loop;
    private final BooleanSupplier connected;
    private List<Task> tasks = new ArrayList<>();
    private int purgeAt = FEW;
    private Loop.@Nullable Timer timer;

    /** Owes while the other says that there is no contact. */
    public ReconnectTasks(Loop loop, BooleanSupplier connected) {
        this.loop = loop;
        this.connected = connected;
    }

    /** Owes a task; it is dropped once nobody wants it, so that an outage does not heap them up. */
    public void add(BooleanSupplier wanted, Runnable run) {
        tasks.add(new Task(wanted, run));
        if (tasks.size() >= purgeAt) {
            tasks.removeIf(task -> !task.wanted().getAsBoolean());
            purgeAt = Math.max(FEW, 2 * tasks.size());
        }
        if (timer == null && connected.getAsBoolean()) {
            timer = loop.after(AT_THE_LATEST, () -> {
                timer = null;
                if (connected.getAsBoolean()) {
                    runAll();
                }
            });
        }
    }

    /** There is contact: does all that is still wanted. */
    public void runAll() {
        List<Task> due = tasks;
        tasks = new ArrayList<>();
        purgeAt = FEW;
        for (Task task : due) {
            if (task.wanted().getAsBoolean()) {
                task.run().run();
            }
        }
    }

    /** How much is owed. */
    public int size() {
        return tasks.size();
    }

    /** Nothing is owed any more. */
    public void clear() {
        tasks = new ArrayList<>();
        if (timer != null) {
            timer.cancel();
        }
    }
}
