package io.baton.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.spi.Loop;
import io.baton.testkit.proxy.Loopback;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How often servers are asked why there is no contact. */
class ContactDiagnosisTest {

    private static final Duration TTL = Duration.ofSeconds(8);

    private final List<Duration> pauses = new ArrayList<>();
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Test
    void disconnected_forLong_asksEverMoreSeldomAndAfterAnotherBreakSoonAgain() throws Exception {
        var diagnosis = new ContactDiagnosis(
                new Impatient(),
                ZkAddress.parse(URI.create("zk://127.0.0.1:" + Loopback.freePort() + "/app")),
                Optional.empty(),
                TTL,
                new Ignored());
        runUntilAsked(9);
        assertThat(pauses.subList(1, 9)).isSorted();
        assertThat(pauses.get(8)).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));

        diagnosis.connected();
        pauses.clear();
        diagnosis.disconnected();

        assertThat(pauses).containsExactly(TTL.dividedBy(4));
    }

    private void runUntilAsked(int times) throws InterruptedException {
        while (pauses.size() < times) {
            Objects.requireNonNull(tasks.poll(20, TimeUnit.SECONDS)).run();
        }
    }

    /** No pause takes time. */
    private final class Impatient implements Loop {
        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long randomLong() {
            return 0;
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            pauses.add(delay);
            tasks.add(task);
            return () -> {};
        }
    }

    static final class Ignored implements ZkWire.Events {
        @Override
        public void connected(long sessionId, Duration negotiated) {}

        @Override
        public void disconnected() {}

        @Override
        public void trouble(Optional<String> why) {}

        @Override
        public void expired() {}

        @Override
        public void closed(CoordinationException why) {}

        @Override
        public void changed(String path, ZkWire.Change change) {}
    }
}
