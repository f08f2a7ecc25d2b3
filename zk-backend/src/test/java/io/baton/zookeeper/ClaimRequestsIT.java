package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.DistributedSemaphore;
import io.baton.PermitHold;
import io.baton.tck.ClaimRequestsContract;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.apache.zookeeper.server.ServerMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimRequestsIT extends ClaimRequestsContract {

    private static final int RELEASES = 5;

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Override
    protected Coordinator connect() throws InterruptedException {
        return Coordinator.connect(zookeeper.uri());
    }

    @Override
    protected Map<String, Long> requests() {
        return zookeeper.server().requests();
    }

    @Override
    protected Set<String> liveness() {
        return Set.of("ping", "multi");
    }

    /**
     * The first of the queue waits for the permits. It leaves the queue, which the server tells that one as well, the
     * next one, whose turn it is, and the one behind, which prepares.
     */
    @Test
    void permits_aThousandWait_aReleaseTakesFourEventsAtMost() throws Exception {
        DistributedSemaphore semaphore = opened().semaphore("wakes", 100);
        List<PermitHold> out = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            out.add(semaphore.acquire());
        }
        List<DistributedSemaphore> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(opened().semaphore("wakes", 100));
        }
        var granted = new Semaphore(0);
        for (int i = 0; i < 1_000; i++) {
            // Neighbours are of two clients: one that shares a client's connection is not woken by the server.
            var unused = others.get(i % others.size()).acquireAsync(1).thenRun(granted::release);
        }
        await().atMost(60, SECONDS).until(() -> semaphore.view().waiting().size() == 1_000);
        quiet();

        Map<String, Long> before = events();
        for (PermitHold hold : out.subList(0, RELEASES)) {
            hold.close();
            assertThat(granted.tryAcquire(30, SECONDS)).isTrue();
            quiet(); // also the next one waits then, and is told of the next release
        }
        Map<String, Long> sent = events();
        before.forEach((kind, count) -> sent.merge(kind, -count, Long::sum));
        System.out.printf("%d releases of permits beside 1000 waiters: %s%n", RELEASES, sent);
        assertThat(sent.values().stream().mapToLong(Long::longValue).sum())
                .as("events: %s", sent)
                .isBetween(2L * RELEASES, 4L * RELEASES);
    }

    /** How often the server has told a client of a change that it watches, by its kind. */
    private static Map<String, Long> events() {
        var events = new TreeMap<String, Long>();
        ServerMetrics.getMetrics().getMetricsProvider().dump((name, value) -> {
            if (name.startsWith("sum_node_") && name.endsWith("_watch_count")) {
                events.put(name, ((Number) value).longValue());
            }
        });
        return events;
    }
}
