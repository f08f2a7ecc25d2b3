package io.baton.testkit.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The single thread of a proxy. It sleeps until a socket is ready, a time is due or a command arrives. */
final class ProxyLoop {

    /** Called when a registered channel is ready. */
    interface Ready {
        void ready(SelectionKey key);
    }

    private record Alarm(long atNanos, Runnable task) {}

    private record Command(Runnable task, CompletableFuture<@Nullable Void> done) {}

    private static final long MILLI = 1_000_000;
    private static final long SHORTEST_SLEEP_NANOS = 100_000;

    private final Selector selector;
    private final Thread thread;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>((one, other) -> Long.signum(one.atNanos() - other.atNanos()));
    /** Commands that were taken from the queue and are not done. On the loop's thread only. */
    private final List<Command> underWay = new ArrayList<>();

    private final Runnable onEnd;
    private volatile boolean stopping;
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;

    /**
     * Makes a loop.
     *
     * @param onEnd closes all channels; called on the loop's thread as the last, also if a task has failed
     */
    ProxyLoop(String name, Runnable onEnd) throws IOException {
        this.onEnd = onEnd;
        selector = Selector.open();
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /**
     * Runs the task on the thread, and waits until it is done and the channels that it closed have freed their ports.
     *
     * @throws IllegalStateException if the loop has stopped, or a task has failed; the cause is the failure
     */
    void call(Runnable task) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        commands.add(new Command(task, done));
        selector.wakeup();
        if (stopped) {
            done.cancel(false);
        }
        try {
            done.join();
        } catch (CancellationException closed) {
            Throwable broken = failure;
            throw broken == null
                    ? new IllegalStateException("the proxy is closed", closed)
                    : new IllegalStateException("the proxy has failed", broken);
        }
    }

    /** Ends the thread, and waits for that. Idempotent. */
    void stop() {
        stopping = true;
        selector.wakeup();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the task at this time. On the loop's thread only. */
    void at(long nanos, Runnable task) {
        alarms.add(new Alarm(nanos, task));
    }

    /** Registers a channel. On the loop's thread only. */
    SelectionKey register(SelectableChannel channel, int operation, Ready ready) throws IOException {
        return channel.register(selector, operation, ready);
    }

    /** Returns an empty buffer for immediate use. On the loop's thread only. */
    ByteBuffer buffer() {
        return buffer.clear();
    }

    private void run() {
        try (selector) {
            work();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } finally {
            stopped = true;
            underWay.forEach(command -> command.done().cancel(false));
            commands.forEach(command -> command.done().cancel(false));
        }
    }

    private void work() throws IOException {
        try {
            while (!stopping) {
                sleep();
                ringAlarms();
                runCommands();
            }
        } catch (IOException | RuntimeException | Error broken) {
            failure = broken;
            throw broken;
        } finally {
            onEnd.run();
        }
    }

    /** Sleeps. A selector counts in milliseconds, so close to a due time it is asked again and again. */
    private void sleep() throws IOException {
        Alarm next = alarms.peek();
        if (next == null) {
            selector.select(ProxyLoop::dispatch);
            return;
        }
        long left = next.atNanos() - System.nanoTime();
        if (left >= 2 * MILLI) {
            selector.select(ProxyLoop::dispatch, left / MILLI - 1);
        } else if (selector.selectNow(ProxyLoop::dispatch) == 0 && left > 0) {
            LockSupport.parkNanos(Math.min(left, SHORTEST_SLEEP_NANOS));
        }
    }

    private static void dispatch(SelectionKey key) {
        if (key.isValid() && key.attachment() instanceof Ready ready) {
            ready.ready(key);
        }
    }

    private void ringAlarms() {
        Alarm next = alarms.peek();
        while (next != null && next.atNanos() - System.nanoTime() <= 0) {
            alarms.remove();
            next.task().run();
            next = alarms.peek();
        }
    }

    private void runCommands() throws IOException {
        for (Command next = commands.poll(); next != null; next = commands.poll()) {
            underWay.add(next);
        }
        if (underWay.isEmpty()) {
            return;
        }
        underWay.forEach(command -> command.task().run());
        // A closed channel frees its port only when the selector runs again.
        selector.selectNow(ProxyLoop::dispatch);
        underWay.forEach(command -> command.done().complete(null));
        underWay.clear();
    }
}
