package io.baton.election;

import io.baton.election.internal.standby.HookExecutor;
import io.baton.testkit.sim.VirtualLoop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tasks that return when the test says so. */
final class ScriptedHands implements HookExecutor {

    /** Tasks of this beginning return at once, with what they really do. */
    private final Set<String> prompt = new HashSet<>();

    private final VirtualLoop loop;
    private final String who;
    private final List<String> told;
    final List<Scripted> running = new ArrayList<>();

    ScriptedHands(VirtualLoop loop, String who, List<String> told) {
        this.loop = loop;
        this.who = who;
        this.told = told;
    }

    void prompt(String kind) {
        prompt.add("baton-" + kind + "-boss");
    }

    void slow(String kind) {
        prompt.remove("baton-" + kind + "-boss");
    }

    @Override
    public Job begin(String name, Task task, Consumer<@Nullable Throwable> done, Runnable outlived) {
        Scripted job = new Scripted(name, task, done);
        running.add(job);
        if (!name.contains("health")) {
            told.add(who + " " + job.kind());
        }
        if (prompt.contains(name)) {
            loop.execute(job::perform);
        }
        return job;
    }

    @Override
    public boolean leave(String name, Runnable task) {
        begin(name, task::run, thrown -> {}, () -> {});
        return true;
    }

    /** The task of this kind that goes on. */
    Scripted at(String kind) {
        List<Scripted> found =
                running.stream().filter(each -> each.kind().equals(kind)).toList();
        if (found.size() != 1) {
            throw new AssertionError(kind + " runs " + found.size() + " times, " + running);
        }
        return found.get(0);
    }

    boolean idle() {
        return running.isEmpty();
    }

    final class Scripted implements Job {

        private final String name;
        private final Task task;
        private final Consumer<@Nullable Throwable> done;
        boolean interrupted;

        private Scripted(String name, Task task, Consumer<@Nullable Throwable> done) {
            this.name = name;
            this.task = task;
            this.done = done;
        }

        String kind() {
            return name.replaceFirst("baton-", "").replaceFirst("-boss", "");
        }

        /** Does what it really does, and returns. */
        void returns() {
            perform();
            loop.run();
        }

        void fails(String why) {
            end(new IllegalStateException(why));
        }

        /** As a hook that was interrupted does. */
        void givesUp() {
            end(new InterruptedException());
        }

        private void perform() {
            Throwable thrown = null;
            try {
                task.run();
            } catch (Throwable any) {
                thrown = any;
            }
            leave(thrown);
        }

        private void end(@Nullable Throwable thrown) {
            leave(thrown);
            loop.run();
        }

        private void leave(@Nullable Throwable thrown) {
            if (!running.remove(this)) {
                throw new AssertionError(name + " has returned before");
            }
            done.accept(thrown);
        }

        @Override
        public void interrupt() {
            interrupted = true;
            if (!name.contains("health")) {
                told.add(who + " " + kind() + " interrupted");
            }
        }

        @Override
        public Optional<Thread> thread() {
            return Optional.empty();
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
