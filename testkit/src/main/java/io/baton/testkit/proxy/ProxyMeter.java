package io.baton.testkit.proxy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts connections and bytes of a proxy. Any thread may read it. */
final class ProxyMeter {

    private final LongAdder accepted = new LongAdder();
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder toServer = new LongAdder();
    private final LongAdder toClient = new LongAdder();

    void opened() {
        accepted.increment();
        open.incrementAndGet();
    }

    void closed() {
        open.decrementAndGet();
    }

    void forwarded(Direction direction, int bytes) {
        (direction == Direction.TO_SERVER ? toServer : toClient).add(bytes);
    }

    Traffic read() {
        return new Traffic(accepted.sum(), open.get(), toServer.sum(), toClient.sum());
    }
}
