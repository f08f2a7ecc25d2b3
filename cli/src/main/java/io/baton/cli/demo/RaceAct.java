package io.baton.cli.demo;

import java.util.List;

/** Act 1: workers read, change and write back without mutual exclusion. */
final class RaceAct {

    static final int STOCK = 100;

    private final DemoStore demoStore;
    private final DemoLog timeline;
    private final Claims claims;

    RaceAct(DemoStore demoStore, DemoLog timeline, Claims claims) {
        this.demoStore = demoStore;
        this.timeline = timeline;
        this.claims = claims;
    }

    void play(List<DemoWorker> workers) throws InterruptedException {
        timeline.act("Act 1: no lock", "Everybody reads the stock, serves a customer, and writes back one less.");
        demoStore.stock(STOCK);
        timeline.event("office", STOCK + " tickets to sell");
        workers.forEach(worker -> worker.send("sell-unlocked", STOCK));
        long sold = 0;
        for (DemoWorker worker : workers) {
            long own = worker.await("sold").number(0);
            timeline.event(worker.name(), "sold " + own);
            sold += own;
        }
        timeline.event(
                "office", sold + " sold of " + STOCK + ": " + (sold - STOCK) + " customers have a ticket for nothing");
        claims.check("without the lock the workers oversell", sold > STOCK, sold + " sold of " + STOCK);
    }
}
