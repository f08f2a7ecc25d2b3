package io.baton.etcd;

import static org.awaitility.Awaitility.await;

import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.LiveEtcdWire;
import io.baton.etcd.wire.Settings;
import io.baton.spi.EventLoop;
import io.baton.testkit.etcd.LocalEtcd;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.awaitility.core.ConditionTimeoutException;

/** A client of a real server. */
final class LiveAgreementRig implements AgreementRig {

    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final LocalEtcd server;
    private final EventLoop loop = new EventLoop("agreement");
    private final CompletableFuture<EtcdWire> wire = new CompletableFuture<>();

    LiveAgreementRig(LocalEtcd server) {
        this.server = server;
    }

    @Override
    public void open(EtcdWire.Events events) {
        EtcdAddress address = EtcdAddress.parse(URI.create(server.uri("app")));
        loop.execute(() -> wire.complete(
                LiveEtcdWire.to(address, Settings.NONE, new AtomicLong(), loop).open(PATIENCE, events)));
    }

    @Override
    public void on(Consumer<EtcdWire> act) {
        loop.execute(() -> act.accept(wire.join()));
    }

    @Override
    public boolean until(BooleanSupplier condition) {
        try {
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofSeconds(20))
                    .until(condition::getAsBoolean);
            return true;
        } catch (ConditionTimeoutException inVain) {
            return false;
        }
    }

    @Override
    public void compact(long revision) {
        server.ctl().run("compaction", "--physical", Long.toString(revision));
    }

    @Override
    public long watches() {
        return server.watches();
    }

    @Override
    public void close() {
        on(EtcdWire::close);
        loop.execute(loop::close);
    }
}
