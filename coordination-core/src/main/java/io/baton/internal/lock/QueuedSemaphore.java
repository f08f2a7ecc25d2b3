package io.baton.internal.lock;

import io.baton.DistributedSemaphore;
import io.baton.Eviction;
import io.baton.Hold;
import io.baton.Item;
import io.baton.PermitHold;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.SemaphoreView;
import io.baton.Subscription;
import io.baton.internal.line.LineEntries;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerQueue;
import io.baton.recipe.Resource;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Names;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** A semaphore: a queue, a line of those that hold permits, and a record of the size. Any thread. */
public final class QueuedSemaphore implements DistributedSemaphore {

    private final Resource semaphore;
    private final int declares;
    private final Line permits;
    private final RecordKey size;
    private final LockParts parts;
    private final Evictions evictions;
    private final AtomicInteger checked = new AtomicInteger();

    /** Creates the semaphore of this resource, in a program that declares this size. */
    public QueuedSemaphore(Resource semaphore, int declares, LockParts parts) {
        this.semaphore = semaphore;
        this.declares = atLeastOne(declares);
        this.permits = Line.of("baton.permits/" + Names.encode(semaphore.name()), Line.Kind.PERMITS);
        this.size = SemaphoreSize.key(semaphore.name());
        this.parts = parts;
        this.evictions = new Evictions(semaphore, List.of(permits, semaphore.line()), parts);
    }

    @Override
    public String name() {
        return semaphore.name();
    }

    @Override
    public PermitHold acquire(int wanted) throws InterruptedException {
        return acquirer(wanted).acquire();
    }

    @Override
    public Optional<PermitHold> tryAcquire(int wanted) throws InterruptedException {
        return acquirer(wanted).tryAcquire();
    }

    @Override
    public Optional<PermitHold> tryAcquire(int wanted, Duration timeout) throws InterruptedException {
        return acquirer(wanted).tryAcquire(timeout);
    }

    @Override
    public CompletableFuture<PermitHold> acquireAsync(int wanted) {
        return acquirer(wanted).acquireAsync();
    }

    @Override
    public CompletableFuture<Optional<PermitHold>> tryAcquireAsync(int wanted) {
        return acquirer(wanted).tryAcquireAsync();
    }

    private Acquirer<PermitHold> acquirer(int wanted) {
        atLeastOne(wanted);
        var contender = new PermitContender(
                semaphore.name(),
                declares,
                wanted,
                semaphore.line(),
                permits,
                size,
                checked,
                parts.acquisitions().sizePace(),
                parts.troubles(),
                parts.acquisitions().loop());
        return new Acquirer<>(semaphore, contender, parts, hold -> hold(hold, wanted));
    }

    private static PermitHold hold(Hold hold, int wanted) {
        return new DefaultPermitHold(hold, wanted);
    }

    private int atLeastOne(int number) {
        if (number < 1) {
            throw new IllegalArgumentException(
                    semaphore + " deals in whole permits, from 1 on, and not in " + number + " of them");
        }
        return number;
    }

    @Override
    public SemaphoreView view() throws InterruptedException {
        return Futures.interruptibly(parts.requests().send("a look at " + semaphore, this::view));
    }

    private CompletionStage<SemaphoreView> view(Session session) {
        // The queue first: who moves on meanwhile is in both then, and not in none.
        return LineEntries.readOnce(session, semaphore.line())
                .thenCompose(queue -> LineEntries.readOnce(session, permits)
                        .thenCompose(out -> SemaphoreSize.read(session, size)
                                .thenApply(now -> view(
                                        queue, out, now.map(SemaphoreSize::size).orElse(0)))));
    }

    /** Whoever still stands in the queue waits, also with an entry among the permits. */
    private static SemaphoreView view(List<Entry> queue, List<Entry> permits, int size) {
        var waiting = new LinkedHashMap<String, Entry>();
        queue.forEach(entry -> waiting.put(entry.peer().name(), entry));
        Map<String, Entry> queued = Map.copyOf(waiting);
        var holders = new ArrayList<QueueEntry>();
        int out = 0;
        for (Entry entry : permits) {
            Optional<Entry> inQueue = PermitPlace.queueEntry(entry, queued);
            if (inQueue.isPresent()) {
                waiting.put(inQueue.get().peer().name(), entry);
            } else {
                out += entry.peer().claim().permits();
                holders.add(QueueEntry.of(entry, true));
            }
        }
        return new SemaphoreView(
                size,
                out,
                holders,
                waiting.values().stream().map(QueuedSemaphore::waiting).toList());
    }

    private static QueueEntry waiting(Entry entry) {
        int permits = PermitPlace.permits(entry);
        QueueEntry one = QueueEntry.of(entry, false);
        return permits < 1 ? one : one.claiming(Claim.permits(permits));
    }

    @Override
    public boolean evict(QueueEntry who, String reason) throws InterruptedException {
        return evictions.evict(who, reason);
    }

    @Override
    public Optional<Eviction> lastEviction() throws InterruptedException {
        return evictions.last();
    }

    @Override
    public boolean resize(int expected, int next) throws InterruptedException {
        atLeastOne(next);
        Optional<Item> record = Futures.interruptibly(parts.records().read(size));
        SemaphoreSize now = record.map(SemaphoreSize::of).orElse(SemaphoreSize.first(declares));
        if (now.size() != expected) {
            return false;
        }
        Condition unchanged = record.<Condition>map(item -> new Condition.Unchanged(size, item.revision()))
                .orElse(new Condition.Absent(size));
        boolean resized = Futures.interruptibly(parts.records()
                .transact(
                        "a new size of " + semaphore,
                        List.of(unchanged),
                        List.of(now.resized(next).put(size)),
                        List.of()));
        if (resized) {
            checked.accumulateAndGet(next, Math::min);
        }
        return resized;
    }

    @Override
    public Subscription onSize(IntConsumer listener) {
        Consumer<Item> parsing =
                record -> listener.accept(SemaphoreSize.of(record).size());
        var queue = new ListenerQueue<Item>(parts.callbacks(), semaphore, parsing, ListenerQueue.Merge.newest());
        Subscription following = parts.records().observe(size, record -> record.ifPresent(queue::offer));
        return () -> {
            following.close();
            queue.close();
        };
    }
}
