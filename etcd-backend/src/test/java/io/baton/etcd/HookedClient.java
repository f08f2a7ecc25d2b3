package io.baton.etcd;

import io.baton.CoordinatorOptions;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.LiveEtcdWire;
import io.baton.etcd.wire.Settings;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.spi.EventLoop;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** An application's client on {@link HookedWires}. */
record HookedClient(DefaultCoordinator coordinator, EventLoop loop, ExecutorService callbacks)
        implements AutoCloseable {

    static HookedClient open(String uri, Duration ttl, HookedWires wires) throws Exception {
        var loop = new EventLoop("hooked");
        ExecutorService callbacks = Executors.newCachedThreadPool();
        var options = CoordinatorOptions.builder().ttl(ttl).build();
        DefaultCoordinator client = DefaultCoordinator.start(
                new HookedStore(EtcdAddress.parse(URI.create(uri)), wires), loop, callbacks, options);
        client.ready().get(30, TimeUnit.SECONDS);
        return new HookedClient(client, loop, callbacks);
    }

    /** Does something on the loop, and waits for it. */
    <T> T on(Supplier<T> act) {
        return CompletableFuture.supplyAsync(act, loop).join();
    }

    @Override
    public void close() {
        coordinator.close();
        loop.close();
        callbacks.shutdownNow();
    }

    /** As the live store, but for its wires. */
    record HookedStore(EtcdAddress address, HookedWires wires) implements Store {

        @Override
        public Guarantees guarantees() {
            return new LiveEtcdStore(address, Settings.NONE).guarantees();
        }

        @Override
        public void check(Line line) {
            new LiveEtcdStore(address, Settings.NONE).check(line);
        }

        @Override
        public Session open(SessionSpec spec, Loop loop, SessionListener to) {
            EtcdWire.Factory hooked = wires.over(LiveEtcdWire.to(address, Settings.NONE, new AtomicLong(), loop));
            return new EtcdSession(address, spec, Timing.of(spec.ttl()), loop, hooked, to);
        }
    }
}
