package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Hold;
import java.time.Duration;

/** Takes a lock and hands its token to a resource outside the store, which refuses whoever comes too late. */
public final class Shipping {

    private Shipping() {}

    /** Ships one order; the argument is the store, of whichever kind; {@code zk://localhost:2181/shop} if left out. */
    public static void main(String[] args) throws InterruptedException {
        String store = args.length > 0 ? args[0] : "zk://localhost:2181/shop";
        ship(store, new Warehouse(), "order 4711");
    }

    static void ship(String store, Warehouse warehouse, String order) throws InterruptedException {
        // tag::lock[]
        try (Coordinator baton = Coordinator.connect(store)) { // "zk://zk1:2181/shop" or "etcd://etcd1:2379/shop"
            Runtime.getRuntime().addShutdownHook(new Thread(baton::close)); // for SIGTERM and Ctrl-C
            try (Hold hold = baton.lock("shipping").acquire()) { // waits for its turn: first come, first served
                hold.onLost(() -> System.err.println("lost the lock: stop what you are doing"));
                hold.ensureValid(Duration.ofSeconds(1)); // throws unless that much time is certain
                long token = hold.token(); // larger than that of every earlier holder
                warehouse.ship(order, token); // refuses a token smaller than one it has seen
            }
        }
        // end::lock[]
    }
}
