package io.baton.examples.partitions;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMembership;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One of the processes that share the partitions of a stream. */
final class PartitionWorker implements AutoCloseable {

    /** How many partitions there are; all processes use the same number. */
    static final int PARTITIONS = 16;

    /** The group of the processes. */
    static final String GROUP = "order-workers";

    /** The tree of records with the number of the last order that was handled, for each partition. */
    static final String POSITIONS = "order-positions";

    /** The tree of records with what came of each order, under which token. */
    static final String HANDLED = "orders-handled";

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Coordinator baton;
    private final OrderFiles orders;
    private final OrderHandler handler;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Integer> own = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Future<?>> serving = new HashMap<>(); // touched by calls of assigned alone
    private final GroupMembership member;

    /**
     * Joins the group, and begins to serve.
     *
     * @param name says which process this is, for people
     */
    PartitionWorker(Coordinator baton, String name, OrderFiles orders, OrderHandler handler) {
        this.baton = baton;
        this.orders = orders;
        this.handler = handler;
        member = Group.named(baton, GROUP).join(name); // joins again if its session ends
        member.onAssignment(PARTITIONS, this::assigned);
    }

    /** The lock of a partition. */
    static String lock(int partition) {
        return "orders/" + partition;
    }

    // tag::member[]
    /** Called with the partitions of this process, one call after the other; with none while it is not in the group. */
    private void assigned(List<Integer> partitions) {
        own.retainAll(partitions);
        own.addAll(partitions);
        serving.entrySet().removeIf(each -> {
            boolean moved = !partitions.contains(each.getKey());
            if (moved) {
                each.getValue().cancel(true); // interrupts serve, which releases the lock
            }
            return moved;
        });
        partitions.forEach(
                partition -> serving.computeIfAbsent(partition, added -> threads.submit(() -> serve(partition))));
    }

    /** Serves a partition for as long as it is this process's, always under a hold of the partition's own lock. */
    private Void serve(int partition) throws InterruptedException {
        while (own.contains(partition)) { // also if the handler has swallowed the interrupt
            try (Hold hold = baton.lock(lock(partition)).acquire()) { // the former process may still be at work
                boolean held = true;
                while (held && own.contains(partition)) {
                    long next = position(partition) + 1; // the former process can write no more
                    PartitionOrder order = orders.take(partition, next); // waits for it
                    held = write(order, handler.handle(order, hold), hold);
                }
            } catch (RuntimeException failed) { // also if the outcome of a write is not known: it is with the next hold
                System.err.println("partition " + partition + " is taken up again: " + failed);
                Thread.sleep(PAUSE.toMillis());
            }
        }
        return null;
    }

    /** Writes what came of an order; false if the partition is another process's by now, and nothing was written. */
    boolean write(PartitionOrder order, String result, Hold hold) throws InterruptedException {
        RecordKey position = baton.records(POSITIONS).key(Integer.toString(order.partition()));
        RecordKey handled = baton.records(HANDLED).key(order.partition() + "/" + order.number() + "/" + hold.token());
        return baton.transact(
                List.of(Guard.held(hold)), // the store checks it, also if this process was frozen until now
                List.of(Op.put(position, Long.toString(order.number())), Op.put(handled, result)));
    }
    // end::member[]

    private long position(int partition) throws InterruptedException {
        return baton.records(POSITIONS)
                .get(Integer.toString(partition))
                .map(Item::text)
                .map(Long::valueOf)
                .orElse(0L);
    }

    /** Leaves the group. Its partitions move as soon as their handlers have returned, which are interrupted. */
    @Override
    public void close() {
        member.close();
        own.clear();
        threads.shutdownNow();
    }

    /**
     * Runs until told to end (SIGTERM): {@code STORE NAME DIRECTORY}, as {@code zk://zk1:2181/shop worker-1 /srv/orders}.
     */
    public static void main(String[] args) throws InterruptedException {
        String name = args[1];
        Coordinator baton = Coordinator.connect(
                args[0],
                CoordinatorOptions.builder()
                        .client(name)
                        .connectTimeout(Duration.ofMinutes(1)) // for the first contact
                        .build());
        var worker = new PartitionWorker(baton, name, new OrderFiles(Path.of(args[2])), (order, hold) -> {
            System.out.println(name + " handles " + order + " under token " + hold.token());
            return order.text() + " by " + name;
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            worker.close();
            baton.close();
        }));
        Thread.currentThread().join();
    }
}
