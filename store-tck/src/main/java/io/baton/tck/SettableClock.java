package io.baton.tck;

import io.baton.spi.EventLoop;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A process's loop with a wall clock that can be set. */
record SettableClock(EventLoop loop, AtomicLong aheadMillis) implements Loop, AutoCloseable {

    static SettableClock of(String name) {
        return new SettableClock(new EventLoop(name), new AtomicLong());
    }

    void setForward(Duration by) {
        aheadMillis.addAndGet(by.toMillis());
    }

    @Override
    public long wallMillis() {
        return loop.wallMillis() + aheadMillis.get();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void deliver(Runnable task) {
        loop.deliver(task);
    }

    @Override
    public long nanoTime() {
        return loop.nanoTime();
    }

    @Override
    public long randomLong() {
        return loop.randomLong();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return loop.after(delay, task);
    }

    @Override
    public void close() {
        loop.close();
    }
}
