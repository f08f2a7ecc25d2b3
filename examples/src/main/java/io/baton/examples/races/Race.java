package io.baton.examples.races;

import io.baton.Coordinator;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Plays races on a database and a store. Each buyer has a connection and a coordinator of its own, as a process has. */
final class Race implements AutoCloseable {

    private final String url;
    private final String store;
    private final StockTable stock;
    private final Coordinator coordinator;
    private final List<StockTable> connections = new ArrayList<>();
    private final List<Coordinator> coordinators = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    Race(String url, String store) throws SQLException, InterruptedException {
        this.url = url;
        this.store = store;
        this.stock = StockTable.connect(url);
        this.coordinator = Coordinator.connect(store);
        stock.create();
    }

    /** Plays one race to its end, with purchases that work for a while. */
    RaceResult play(Protection protection, RaceRules rules) throws SQLException, InterruptedException {
        return play(protection, rules, row -> LockSupport.parkNanos(rules.work().toNanos()));
    }

    /** Plays one race to its end, with purchases that do this between reading and writing. */
    RaceResult play(Protection protection, RaceRules rules, Purchase.Work works)
            throws SQLException, InterruptedException {
        stock.fill(rules.stock(), protection.rows());
        enrol(rules.buyers());
        var begin = new CountDownLatch(1);
        int meanwhile = Math.max(rules.amount(), rules.stock() / 4);
        Purchase.Work freezes = new FrozenBuyer(protection, coordinator, stock, meanwhile, begin::countDown);
        long start = System.nanoTime();
        List<Future<List<Duration>>> buyers = new ArrayList<>();
        for (int buyer = 0; buyer < rules.buyers(); buyer++) {
            boolean frozen = rules.frozen() && buyer == 0;
            Purchase.Work own = frozen ? freezes : works;
            CountDownLatch from = frozen ? new CountDownLatch(0) : begin;
            buyers.add(threads.submit(buying(protection, rules, buyer, own, from)));
        }
        if (!rules.frozen()) {
            begin.countDown();
        }
        Duration longest = Duration.ZERO;
        for (int buyer = 0; buyer < rules.buyers(); buyer++) {
            for (Duration each : waits(buyers.get(buyer))) {
                boolean counts = !rules.frozen() || buyer != 0;
                longest = counts && each.compareTo(longest) > 0 ? each : longest;
            }
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        int taken = stock.taken();
        return new RaceResult(taken, Math.max(0, taken - rules.stock()), taken / rules.amount(), elapsed, longest);
    }

    private void enrol(int buyers) throws SQLException, InterruptedException {
        while (connections.size() < buyers) {
            connections.add(StockTable.connect(url));
            coordinators.add(Coordinator.connect(store));
        }
    }

    /** How long each of this buyer's purchases took. */
    private Callable<List<Duration>> buying(
            Protection protection, RaceRules rules, int buyer, Purchase.Work work, CountDownLatch begin) {
        return () -> {
            List<Duration> waits = new ArrayList<>();
            begin.await();
            boolean more = true;
            while (more) {
                String id = buyer + "-" + waits.size();
                Purchase wanted = new Purchase(id, buyer % protection.rows(), rules.amount(), work);
                long start = System.nanoTime();
                more = protection.buy(coordinators.get(buyer), connections.get(buyer), wanted) && rules.untilSoldOut();
                waits.add(Duration.ofNanos(System.nanoTime() - start));
            }
            return waits;
        };
    }

    private static List<Duration> waits(Future<List<Duration>> buyer) throws InterruptedException {
        try {
            return buyer.get();
        } catch (ExecutionException broken) {
            throw new IllegalStateException("a buyer has failed", broken.getCause());
        }
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        for (Coordinator each : coordinators) {
            each.close();
        }
        for (StockTable each : connections) {
            each.close();
        }
        coordinator.close();
        stock.drop();
        stock.close();
    }
}
