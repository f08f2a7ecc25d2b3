package io.baton.election.internal.standby;

import io.baton.recipe.ClientLoop;
import io.baton.recipe.UnprintableException;
import io.baton.spi.support.Background;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs each task on a thread of its own, which a task that does not return keeps. */
public final class ThreadHands implements HookExecutor {

    private final ClientLoop loop;

    public ThreadHands(ClientLoop loop) {
        this.loop = loop;
    }

    @Override
    public Job begin(String name, Task task, Consumer<@Nullable Throwable> done, Runnable outlived) {
        Consumer<@Nullable Throwable> tell = failure -> {
            if (!loop.post(() -> done.accept(failure))) {
                outlived.run();
            }
        };
        Optional<Thread> runner = Background.start(name, () -> run(task, tell));
        if (runner.isEmpty()) {
            tell.accept(new IllegalStateException("no thread to be had for " + name));
        }
        return new OnThread(runner);
    }

    @Override
    public boolean leave(String name, Runnable task) {
        return Background.start(name, task).isPresent();
    }

    private static void run(Task task, Consumer<@Nullable Throwable> done) {
        Throwable thrown = null;
        try {
            task.run();
        } catch (Throwable any) {
            thrown = UnprintableException.printable(any);
        } finally {
            done.accept(thrown);
        }
    }

    private record OnThread(Optional<Thread> thread) implements Job {

        @Override
        public void interrupt() {
            thread.ifPresent(Thread::interrupt);
        }
    }
}
