package io.baton.examples.races;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.recipes.FencedResource;

/** Two take all of a stock in memory. The first is frozen while it works, and the other buys meanwhile. */
final class MemoryRace {

    static final int STOCK = 100;

    private MemoryRace() {}

    /** Plays it and returns how much was taken. */
    static int play() throws InterruptedException {
        try (Coordinator here = Coordinator.connect("mem:memory-race");
                Coordinator there = Coordinator.connect("mem:memory-race")) {
            var stock = new MemoryStock(STOCK);
            FencedResource<MemoryStock> fenced = FencedResource.of(stock);
            DistributedLock lock = here.lock("stock");
            buy(lock, fenced, row -> {
                FrozenBuyer.endHold(lock);
                buy(there.lock("stock"), fenced, sameRow -> {});
            });
            return stock.taken();
        }
    }

    private static void buy(DistributedLock lock, FencedResource<MemoryStock> stock, Purchase.Work work)
            throws InterruptedException {
        Purchases.resource(lock, stock, new Purchase("all", 0, STOCK, work));
    }
}
