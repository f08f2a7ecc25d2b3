package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.MultiHold;
import io.baton.recipes.Assignment;
import io.baton.recipes.Barrier;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.Counter;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.DoubleBarrierRound;
import io.baton.recipes.FencedResource;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMembership;
import io.baton.recipes.Latch;
import io.baton.recipes.Seat;
import io.baton.recipes.Seats;
import io.baton.recipes.Sequence;
import io.baton.recipes.StripedLocks;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Recipes beside the locks. */
final class OrderBook {

    private OrderBook() {}

    // tag::counter[]
    /** Counts an order, whatever becomes of the connection, and however often the message about it is delivered. */
    static boolean count(Counter orders, String orderId) throws InterruptedException {
        return orders.addOnce(1, orderId);
    }
    // end::counter[]

    // tag::striped[]
    /** Moves an amount between two accounts, of which there may be millions. */
    static void transfer(Coordinator baton, String from, String to, Consumer<MultiHold> move)
            throws InterruptedException {
        StripedLocks accounts = StripedLocks.named(baton, "accounts", 64);
        try (MultiHold both = accounts.acquireAll(List.of(from, to))) { // in one order, so nobody waits in a circle
            move.accept(both); // writes with both.guards()
        }
    }
    // end::striped[]

    // tag::sequence[]
    /** Numbers an order. Most calls send no request. */
    static long number(Sequence orders) throws InterruptedException {
        return orders.next();
    }
    // end::sequence[]

    // tag::latch[]
    /** Starts to serve once three shards have been migrated, by whatever processes. */
    static boolean awaitMigration(Coordinator baton) throws InterruptedException {
        Latch migrated = Latch.named(baton, "migrated");
        migrated.open(3); // the shards call countDown("shard-1") and so on
        return migrated.await(Duration.ofMinutes(10));
    }
    // end::latch[]

    // tag::barrier[]
    /** Begins the load test once all five clients are there. Returns whether this one keeps the results. */
    static boolean awaitOthers(Coordinator baton) throws InterruptedException {
        BarrierRound round = Barrier.named(baton, "load", 5).await(Duration.ofMinutes(1));
        return round.orThrow().index() == 0; // throws if the round was broken, at all five
    }
    // end::barrier[]

    // tag::double[]
    /** Runs a batch at five workers at once, and counts it only if all five have come to its end. */
    static void runTogether(Coordinator baton, Runnable work, Runnable stop, Runnable count)
            throws InterruptedException {
        DoubleBarrier batch = DoubleBarrier.named(baton, "batch", 5);
        try (DoubleBarrierRound round = batch.enter(Duration.ofMinutes(1)).orThrow()) { // close() alone breaks it
            round.onBroken(why -> stop.run()); // another one has died: no need to go on
            work.run();
            BarrierRound end = round.leave(Duration.ofMinutes(10)).orThrow();
            if (end.index() == 0) { // one of the five
                count.run();
            }
        }
    }
    // end::double[]

    // tag::seats[]
    /** Numbers orders with a worker id that no other process has, for as long as it is this one's. */
    static Seat number(Coordinator baton, IntConsumer start, Runnable stop) throws InterruptedException {
        Seat seat = Seats.named(baton, "worker-id", 1024).take(); // waits if all are taken
        seat.onLost(stop);
        start.accept(seat.number()); // and check seat.remaining() before each number
        return seat; // close() gives it back
    }
    // end::seats[]

    // tag::group[]
    /** Serves the partitions of this worker, again with each change of the workers, and none while it is not in. */
    static GroupMembership work(Coordinator baton, String address, Consumer<List<Integer>> serve) {
        GroupMembership me = Group.named(baton, "workers").join(address); // joins again if its session ends
        me.onAssignment(256, serve);
        return me; // close() leaves the group
    }
    // end::group[]

    // tag::assignment[]
    /** The partitions that this member serves, each under a lock of its own. */
    static List<Integer> own(Collection<String> members, String me) {
        return Assignment.of(members, 256).partitionsOf(me);
    }
    // end::assignment[]

    // tag::fenced[]
    /** Enters a line in a book in this process, which only the latest holder may use. */
    static void enter(FencedResource<List<String>> book, Hold hold, String line) {
        book.call(hold, lines -> lines.add(line));
    }
    // end::fenced[]
}
