package io.baton.tck;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.DistributedReadWriteLock;
import io.baton.DistributedSemaphore;
import io.baton.Hold;
import io.baton.PermitHold;
import io.baton.WriteHold;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many requests a read/write lock and a semaphore take with many waiters, by the server's own count. */
@Timeout(180)
public abstract class ClaimRequestsContract {

    private static final int CLIENTS = 5;
    private static final int WAITERS = 100;

    /** A removal, two watches, a reading, and another one where the hand-off came before it was prepared. */
    private static final int WRITER = 5;

    /** A permit's end; the reading of the line and the size; the way out of the queue, and the next one's into the permits. */
    private static final int PERMIT = 14;

    private final List<Coordinator> open = new ArrayList<>();

    /** For subclasses. */
    protected ClaimRequestsContract() {}

    /** Connects a client. */
    protected abstract Coordinator connect() throws Exception;

    /** The requests that the server has seen so far, by their kind. */
    protected abstract Map<String, Long> requests();

    /** The kinds of requests that only keep sessions alive. */
    protected abstract Set<String> liveness();

    @AfterEach
    void end() {
        open.forEach(Coordinator::close);
    }

    private List<Coordinator> clients() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            var unused = opened();
        }
        return open;
    }

    /** Returns a client that is closed after the test. */
    protected final Coordinator opened() throws Exception {
        Coordinator client = connect();
        open.add(client);
        return client;
    }

    @Test
    void writers_manyWait_eachHandOffTakesAFewRequests() throws Exception {
        List<DistributedReadWriteLock> locks = clients().stream()
                .map(client -> client.readWriteLock("writers"))
                .toList();
        WriteHold first = locks.get(0).write().acquire();
        List<CompletableFuture<WriteHold>> waiting = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiting.add(locks.get(i % CLIENTS).write().acquireAsync());
        }
        await().atMost(30, SECONDS).until(() -> locks.get(0).queue().size() == WAITERS + 1);

        Map<String, Long> before = quiet();
        first.close();
        passOn(waiting);
        expect(before, WRITER * WAITERS, "hand-offs between writers", WAITERS);
    }

    @Test
    void readers_aWaveBehindAWriter_takesTwoRequestsEachAtMost() throws Exception {
        List<DistributedReadWriteLock> locks = clients().stream()
                .map(client -> client.readWriteLock("readers"))
                .toList();
        WriteHold writer = locks.get(0).write().acquire();
        List<CompletableFuture<Hold>> waiting = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiting.add(locks.get(i % CLIENTS).read().acquireAsync());
        }
        await().atMost(30, SECONDS).until(() -> locks.get(0).queue().size() == WAITERS + 1);

        Map<String, Long> before = quiet();
        writer.close();
        List<Hold> holds = new ArrayList<>();
        for (CompletableFuture<Hold> next : waiting) {
            holds.add(next.get(30, SECONDS));
        }
        // Each client may also have to renew what it holds, and to look at it.
        expect(before, 2 * WAITERS + 1 + 2 * CLIENTS, "readers let in together", WAITERS);
        holds.forEach(Hold::close);
    }

    @Test
    void permits_manyWait_eachHandOffTakesAFewRequests() throws Exception {
        List<DistributedSemaphore> semaphores = clients().stream()
                .map(client -> client.semaphore("permits", 10))
                .toList();
        PermitHold all = semaphores.get(0).acquire(10);
        List<CompletableFuture<PermitHold>> waiting = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiting.add(semaphores.get(i % CLIENTS).acquireAsync(1));
        }
        await().atMost(30, SECONDS)
                .until(() -> semaphores.get(0).view().waiting().size() == WAITERS);

        Map<String, Long> before = quiet();
        all.close();
        passOn(waiting);
        expect(before, PERMIT * WAITERS, "permits passed on", WAITERS);
    }

    /** Each releases as soon as it is granted. Requests of several clients are not granted in the order of this list. */
    private static <H extends Hold> void passOn(List<CompletableFuture<H>> waiting) throws Exception {
        List<CompletableFuture<?>> released = new ArrayList<>();
        waiting.forEach(each -> released.add(each.thenCompose(Hold::releaseAsync)));
        CompletableFuture.allOf(released.toArray(CompletableFuture[]::new)).get(60, SECONDS);
    }

    private void expect(Map<String, Long> before, long most, String what, int number) {
        Map<String, Long> took = new TreeMap<>(quiet());
        before.forEach((kind, count) -> took.merge(kind, -count, Long::sum));
        took.values().removeIf(count -> count == 0);
        System.out.printf("%d %s: %s%n", number, what, took);
        assertThat(took.values().stream().mapToLong(Long::longValue).sum())
                .as("%d %s: %s", number, what, took)
                .isLessThanOrEqualTo(most);
    }

    /** Waits until the server is not asked any more, and returns what it has been asked. */
    protected final Map<String, Long> quiet() {
        var last = new AtomicReference<Map<String, Long>>(Map.of());
        await().atMost(30, SECONDS).pollInterval(200, MILLISECONDS).until(() -> {
            Map<String, Long> now = new TreeMap<>(requests());
            now.keySet().removeAll(liveness());
            return now.equals(last.getAndSet(now));
        });
        return requireNonNull(last.get());
    }
}
