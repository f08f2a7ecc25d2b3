package io.baton.election;

import io.baton.internal.OwnLoop;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Each task on a thread of its own, which a task that does not return keeps. */
final class ThreadHands implements Hands {

    private final OwnLoop loop;

    ThreadHands(OwnLoop loop) {
        this.loop = loop;
    }

    @Override
    public Job begin(String name, Task task, Consumer<@Nullable Throwable> done) {
        var thread = new Thread(() -> run(task, failure -> loop.post(() -> done.accept(failure))), name);
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            loop.post(() -> done.accept(noThread));
        }
        return new OnThread(thread);
    }

    private static void run(Task task, Consumer<@Nullable Throwable> done) {
        Throwable thrown = null;
        try {
            task.run();
        } catch (Throwable any) {
            thrown = any;
        } finally {
            done.accept(thrown);
        }
    }

    private record OnThread(Thread runner) implements Job {

        @Override
        public void interrupt() {
            runner.interrupt();
        }

        @Override
        public Optional<Thread> thread() {
            return Optional.of(runner);
        }
    }
}
