package io.baton.tck.sim.recipes;

import io.baton.Item;
import io.baton.OutcomeUnknownException;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.internal.lock.QueuedLock;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.recipe.TextLines;
import io.baton.spi.Entry;
import io.baton.tck.sim.recipes.LineHistory.Stay;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Operators who look at a lock's line, and evict an entry of it a while later.
 *
 * <p>An eviction removes the entry that was named, and no other, in the step in which it is on record with who, by whom
 * and why. It is said to have been done, or not, as is on record; and not done only if the entry has gone.
 */
final class SimEvictors {

    /** By how much wall clocks may be set back, and how long a request may be under way. */
    private static final Duration CLOCKS = Duration.ofSeconds(40);

    private final CoordinatorRun run;
    private final Resource lock;
    private final RecordKey record;
    private final Map<String, Order> orders = new HashMap<>();
    private final Set<Long> evicted = new HashSet<>();
    private @Nullable Item known;

    /** One eviction that somebody wants. */
    private static final class Order {

        private final CoordinatorRun.Member by;
        private final Entry who;
        private boolean done;
        private boolean refused;

        Order(CoordinatorRun.Member by, Entry who) {
            this.by = by;
            this.who = who;
        }
    }

    SimEvictors(CoordinatorRun run, Resource lock) {
        this.run = run;
        this.lock = lock;
        this.record = lock.record("baton.evictions");
    }

    /** Whether the entry with this token was evicted. */
    boolean hasEvicted(long token) {
        return evicted.contains(token);
    }

    /** A program of this process looks at the line, and evicts one of those in it. */
    void evictSome(CoordinatorRun.Member by) {
        List<Entry> line = run.server.line(lock.line().path());
        if (by.gone() || line.isEmpty()) {
            return;
        }
        int number = run.chance.nextInt(line.size());
        Entry who = line.get(number);
        run.later(by, run.chance.nextBoolean() ? 20 : 1_000, () -> evict(by, who, number == 0));
    }

    private void evict(CoordinatorRun.Member by, Entry who, boolean holder) {
        if (by.gone() || run.stopping()) {
            return;
        }
        String reason = "stuck, number " + orders.size();
        var order = new Order(by, who);
        orders.put(reason, order);
        by.thread.note("evicts " + who.token() + ": " + reason);
        var queued = (QueuedLock) by.baton.lock(lock.name());
        Futures.onDone(
                queued.evictAsync(QueueEntry.of(who, holder), reason),
                (done, failure) -> run.guarded(() -> {
                            if (failure == null) {
                                answered(order, reason, done);
                            } else {
                                failed(order, reason, failure);
                            }
                        })
                        .run());
    }

    private void answered(Order order, String reason, boolean done) {
        run.counts.add(done ? "evictions" : "evictions of what has gone");
        run.sim.check(done == order.done, () -> "'" + reason + "' is said to be done: " + done + ", which is not so");
        run.sim.check(!run.server.stands(order.who), () -> "'" + reason + "' was answered, and the entry stands");
        order.refused = !done;
    }

    private void failed(Order order, String reason, Throwable failure) {
        Throwable cause = run.known(failure);
        run.counts.add("evictions: " + cause.getClass().getSimpleName());
        if (!(cause instanceof OutcomeUnknownException)) {
            run.sim.check(!order.done, () -> "'" + reason + "' was done, and is said to have failed: " + cause);
            order.refused = true;
        }
    }

    /** Looks at the record after a step in which these entries have gone. */
    void look(List<Stay> gone) {
        Optional<Item> now = run.server.record(record);
        if (now.isEmpty() || now.get().equals(known)) {
            return;
        }
        known = now.get();
        Map<String, String> lines = TextLines.decode(now.get().value());
        String reason = lines.getOrDefault("why", "");
        Order order = orders.get(reason);
        run.sim.check(order != null, () -> "an eviction is on record that nobody wants: " + lines);
        if (order != null) {
            check(order, reason, lines, gone);
        }
    }

    private void check(Order order, String reason, Map<String, String> lines, List<Stay> gone) {
        run.sim.check(!order.done && !order.refused, () -> "'" + reason + "' is done, and was over: " + lines);
        order.done = true;
        evicted.add(order.who.token());
        run.sim.check(
                gone.size() == 1 && gone.get(0).entry.equals(order.who),
                () -> "'" + reason + "' is to evict " + order.who.token() + ", and these have gone: "
                        + gone.stream().map(Stay::token).toList());
        long at = TextLines.number(lines.getOrDefault("at", ""));
        boolean exact = lines.getOrDefault("token", "").equals(Long.toString(order.who.token()))
                && lines.getOrDefault("client", "").equals(CoordinatorRun.client(order.who))
                && lines.getOrDefault("by", "").equals(order.by.name)
                && Math.abs(order.by.process.wallMillis() - at) < CLOCKS.toMillis();
        run.sim.check(exact, () -> "'" + reason + "' of " + order.by.name + " is on record as " + lines);
    }
}
