package io.baton.cli.demo;

import java.util.List;

/** Act 1: read, change, write back, and nobody keeps the others out. */
final class RaceAct {

    static final int STOCK = 100;

    private final DemoStore office;
    private final DemoLog timeline;
    private final Claims claims;

    RaceAct(DemoStore office, DemoLog timeline, Claims claims) {
        this.office = office;
        this.timeline = timeline;
        this.claims = claims;
    }

    void play(List<DemoWorker> workers) throws InterruptedException {
        timeline.act("Act 1: no lock", "Everybody reads the stock, serves a customer, and writes back one less.");
        office.stock(STOCK);
        timeline.say("office", STOCK + " tickets to sell");
        workers.forEach(worker -> worker.tell("sell-unlocked", STOCK));
        long sold = 0;
        for (DemoWorker worker : workers) {
            long own = worker.await("sold").number(0);
            timeline.say(worker.name(), "sold " + own);
            sold += own;
        }
        timeline.say(
                "office", sold + " sold of " + STOCK + ": " + (sold - STOCK) + " customers have a ticket for nothing");
        claims.check("without the lock the workers oversell", sold > STOCK, sold + " sold of " + STOCK);
    }
}
