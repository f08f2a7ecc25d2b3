package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Several clients that contend for one lock until stopped. Each one, whenever granted, increments a shared record,
 * guarded by its hold. Breaches are recorded: two valid holds at once, a token that does not rise, a lost update.
 *
 * <p><b>Threads.</b> One thread for each client; any thread may call any method.
 */
public final class Contention implements AutoCloseable {

    private static final String LOCK = "contended";

    /**
     * The time for which each client holds. It is long enough to detect overlapping holds and to limit the load of
     * hand-offs.
     */
    private static final Duration AT_WORK = Duration.ofMillis(20);

    private final List<Coordinator> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private final Set<Hold> holds = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> breaches = new ConcurrentLinkedQueue<>();
    private final AtomicLong newest = new AtomicLong();
    private final AtomicInteger grants = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private volatile boolean stopping;

    /**
     * Connects this many clients, and starts contention.
     *
     * @throws InterruptedException if interrupted meanwhile
     */
    public Contention(String uri, int size, Duration ttl) throws InterruptedException {
        var options = CoordinatorOptions.builder()
                .ttl(ttl)
                .connectTimeout(Duration.ofSeconds(30))
                .build();
        for (int i = 0; i < size; i++) {
            clients.add(Coordinator.connect(uri, options));
        }
        clients.get(0).records("counts").put("holds", "0".getBytes(UTF_8));
        for (Coordinator client : clients) {
            running.add(threads.submit(() -> contend(client)));
        }
    }

    /** The number of grants so far. */
    public int grants() {
        return grants.get();
    }

    /** A summary of the run, as text. */
    public String summary() {
        return grants + " grants, " + written + " writes, " + unknown + " of unknown outcome, " + losses + " failures";
    }

    /**
     * Stops all clients, and checks that there was no breach and that the line is empty.
     *
     * @throws Exception if a client has failed, or does not stop
     */
    public void finish() throws Exception {
        stopping = true;
        for (Future<?> one : running) {
            one.get(90, SECONDS);
        }
        assertThat(breaches).isEmpty();
        Coordinator client = clients.get(0);
        int counted = count(client.records("counts").get("holds").orElseThrow());
        assertThat(counted).isBetween(written.get(), written.get() + unknown.get());
        assertThat(client.lock(LOCK).tryAcquire(Duration.ofSeconds(30))).isPresent();
    }

    /** Closes the clients, whatever they are doing. */
    @Override
    public void close() {
        stopping = true;
        clients.forEach(Coordinator::close);
        threads.shutdownNow();
    }

    private @Nullable Void contend(Coordinator client) throws InterruptedException {
        while (!stopping) {
            try (Hold hold = client.lock(LOCK).acquire()) {
                granted(hold);
                Thread.sleep(AT_WORK.toMillis());
                countUp(client, hold);
                holds.remove(hold);
            } catch (OutcomeUnknownException perhaps) {
                unknown.incrementAndGet();
            } catch (CoordinationException trouble) {
                losses.incrementAndGet();
            }
        }
        return null;
    }

    private void granted(Hold hold) {
        holds.add(hold);
        long before = newest.getAndAccumulate(hold.token(), Math::max);
        // A hold may have expired if its thread was paused on its way here; a valid one is the newest.
        if (!hold.remaining().isZero() && before >= hold.token()) {
            breaches.add("token " + hold.token() + " is valid after " + before);
        }
        for (Hold other : holds) {
            if (other != hold
                    && !other.remaining().isZero()
                    && !hold.remaining().isZero()) {
                breaches.add(other + " and " + hold + " are valid at once");
            }
        }
        holds.removeIf(other -> other.remaining().isZero());
        grants.incrementAndGet();
    }

    private void countUp(Coordinator client, Hold hold) throws InterruptedException {
        Records counts = client.records("counts");
        Item item = counts.get("holds").orElseThrow();
        Op next = Op.put(item.key(), Integer.toString(count(item) + 1));
        if (client.transact(List.of(Guard.held(hold)), List.of(next))) {
            written.incrementAndGet();
        }
    }

    private static int count(Item item) {
        return Integer.parseInt(item.text());
    }
}
