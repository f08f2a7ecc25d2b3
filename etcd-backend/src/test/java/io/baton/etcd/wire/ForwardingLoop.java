package io.baton.etcd.wire;

import io.baton.spi.Loop;
import java.time.Duration;

/** Another loop, for tests that change a part of it. */
class ForwardingLoop implements Loop {

    private final Loop loop;

    ForwardingLoop(Loop loop) {
        this.loop = loop;
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
    public long wallMillis() {
        return loop.wallMillis();
    }

    @Override
    public long randomLong() {
        return loop.randomLong();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return loop.after(delay, task);
    }
}
