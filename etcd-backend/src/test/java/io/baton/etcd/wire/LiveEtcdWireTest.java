package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.SessionLostException;
import io.baton.etcd.HandServer;
import io.baton.etcd.Witness;
import io.baton.spi.Loop;
import io.baton.testkit.proxy.Loopback;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class LiveEtcdWireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void connect_storeReplaced_endsTheSessionAndTheNextOneIsInTheOtherCluster() {
        var cluster = new AtomicLong();
        try (HandServer server = new HandServer()) {
            EtcdAddress address = EtcdAddress.parse(URI.create(server.uri()));
            try (Witness wire = new Witness(PATIENCE, loop -> LiveEtcdWire.to(address, Settings.NONE, cluster, loop))) {
                wire.awaitConnected();
                server.cluster(2);

                wire.on(now -> now.reconnect("as the test says"));

                assertThat(wire.awaitOver())
                        .isInstanceOf(SessionLostException.class)
                        .hasMessageStartingWith("store replaced: ");
            }
            try (Witness next = new Witness(PATIENCE, loop -> LiveEtcdWire.to(address, Settings.NONE, cluster, loop))) {
                next.awaitConnected();
            }
        }
        assertThat(cluster).hasValue(2);
    }

    @Test
    void connect_attemptBreaksOnceItHasAChannel_triesAgainAndTheChannelIsShutDown() {
        var said = new CopyOnWriteArrayList<String>();
        Logger library = Logger.getLogger("io.grpc.internal.ManagedChannelOrphanWrapper");
        Handler notes = new Notes(said);
        library.addHandler(notes);
        try (HandServer server = new HandServer()) {
            EtcdAddress address = EtcdAddress.parse(URI.create(server.uri()));
            var timers = new AtomicInteger();
            try (Witness wire = new Witness(
                    PATIENCE,
                    loop -> LiveEtcdWire.to(
                            address, Settings.NONE, new AtomicLong(), new BreakingLoop(loop, timers)))) {
                wire.awaitConnected();
            }
            assertThat(timers).hasValueGreaterThan(BreakingLoop.OF_THE_REQUEST);

            // With each new channel the library looks for those that are gone.
            await().pollInterval(Duration.ofMillis(10))
                    .during(Duration.ofMillis(500))
                    .until(() -> {
                        System.gc();
                        var unused = Channels.to(address.hosts().get(0), Loopback.at(1), Optional.empty(), PATIENCE)
                                .shutdownNow();
                        return said.isEmpty();
                    });
        } finally {
            library.removeHandler(notes);
        }
    }

    /** Has no room for the timer of the first request. */
    private static final class BreakingLoop extends ForwardingLoop {

        /** The first one is that of the lookup of the address. */
        static final int OF_THE_REQUEST = 2;

        private final AtomicInteger timers;

        BreakingLoop(Loop loop, AtomicInteger timers) {
            super(loop);
            this.timers = timers;
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            if (timers.incrementAndGet() == OF_THE_REQUEST) {
                throw new OutOfMemoryError("broken on purpose");
            }
            return super.after(delay, task);
        }
    }

    /** What the library logs. */
    private static final class Notes extends Handler {

        private final List<String> said;

        Notes(List<String> said) {
            this.said = said;
        }

        @Override
        public void publish(LogRecord line) {
            said.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
