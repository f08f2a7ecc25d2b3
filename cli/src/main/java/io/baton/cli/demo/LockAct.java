package io.baton.cli.demo;

import java.util.List;

/** Act 2: the same sales under the fair lock, each write guarded by the hold. */
final class LockAct {

    private static final int SHOWN = 4;

    private final DemoStore demoStore;
    private final DemoLog timeline;
    private final Claims claims;

    LockAct(DemoStore demoStore, DemoLog timeline, Claims claims) {
        this.demoStore = demoStore;
        this.timeline = timeline;
        this.claims = claims;
    }

    void play(List<DemoWorker> workers) throws InterruptedException {
        timeline.act("Act 2: the fair lock", "The same, but under the lock, and with writes that the hold guards.");
        demoStore.stock(RaceAct.STOCK);
        timeline.event("office", RaceAct.STOCK + " tickets to sell");
        workers.forEach(worker -> worker.send("sell-locked"));
        var sales = new Sales();
        for (DemoWorker worker : workers) {
            Message said = worker.next();
            for (; said.verb().equals("sale"); said = worker.next()) {
                sales.add(worker.name(), said.number(0), said.number(1));
            }
        }
        narrate(workers, sales);
        judge(sales);
    }

    private void narrate(List<DemoWorker> workers, Sales sales) throws InterruptedException {
        timeline.event("office", seen(sales) + "; in the order of the tokens:");
        sales.first(SHOWN)
                .forEach(sale ->
                        timeline.note(sale.who(), "token " + sale.token() + ": sold one, " + sale.left() + " left"));
        timeline.line("          ...");
        for (DemoWorker worker : workers) {
            timeline.note(worker.name(), "sold " + sales.of(worker.name()) + " in all");
        }
    }

    private void judge(Sales sales) throws InterruptedException {
        claims.check(
                "with the lock they sell exactly the stock",
                sales.count() == RaceAct.STOCK && demoStore.left() == 0,
                seen(sales));
        int astray = sales.astray(RaceAct.STOCK);
        claims.check(
                "in token order every sale saw the one before it",
                astray == 0,
                astray == 0 ? sales.span() : astray + " did not");
    }

    private String seen(Sales sales) throws InterruptedException {
        return sales.count() + " sold of " + RaceAct.STOCK + ", " + demoStore.left() + " left";
    }
}
