package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Subscription;

/** A process of the stock service: it reserves items, or stands by to do so. */
final class StockService {

    private StockService() {}

    /** Serves until told to end (SIGTERM): {@code STORE}, as {@code zk://zk1:2181/shop}. */
    public static void main(String[] args) throws InterruptedException {
        Coordinator baton = Reservations.connect(args[0]);
        Subscription serving = Reservations.serve(baton);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            serving.close(); // waits for the handler
            baton.close();
        }));
        Thread.currentThread().join();
    }
}
