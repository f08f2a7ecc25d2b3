package io.baton.spi.support;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Tasks to run once the session is in contact again. */
public final class ReconnectTasks {

    /** For an answer of "connection lost" that no break of the connection follows. */
    private static final Duration AT_THE_LATEST = Duration.ofSeconds(1);

    /** A task, to be run while it is wanted. */
    private record Task(BooleanSupplier wanted, Runnable run) {

        void runIfWanted() {
            if (wanted.getAsBoolean()) {
                run.run();
            }
        }
    }

    private static final int FEW = 256;

    private final Loop loop;
    private final BooleanSupplier connected;
    private List<Task> tasks = new ArrayList<>();
    private int purgeAt = FEW;
    private Loop.@Nullable Timer timer;

    /** Starts without tasks; {@code connected} says whether there is contact. */
    public ReconnectTasks(Loop loop, BooleanSupplier connected) {
        this.loop = loop;
        this.connected = connected;
    }

    /** Adds a task. It is dropped once it is not wanted, so that tasks do not accumulate in an outage. */
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

    /** Runs all tasks that are still wanted, even after one throws; called when there is contact. */
    public void runAll() {
        List<Task> due = tasks;
        tasks = new ArrayList<>();
        purgeAt = FEW;
        RunAll.each(due, Task::runIfWanted);
    }

    /** Returns the number of tasks. */
    public int size() {
        return tasks.size();
    }

    /** Drops all tasks. */
    public void clear() {
        tasks = new ArrayList<>();
        if (timer != null) {
            timer.cancel();
        }
    }
}
