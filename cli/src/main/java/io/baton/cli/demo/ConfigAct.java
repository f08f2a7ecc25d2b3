package io.baton.cli.demo;

import io.baton.config.ConfigCommit;
import io.baton.config.ConfigStore;
import io.baton.config.FleetMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Act 6: a setting changes while the workers run, all workers reject a bad one, and one worker starts without the
 * store.
 */
final class ConfigAct {

    private static final int FIRST = 12;
    private static final int NEW = 15;
    private static final int BAD = -3;

    private final DemoStore demoStore;
    private final ConfigStore store;
    private final WorkFiles files;
    private final DemoLog timeline;
    private final Claims claims;

    ConfigAct(DemoStore demoStore, WorkFiles files, DemoLog timeline, Claims claims) {
        this.demoStore = demoStore;
        this.files = files;
        this.store = demoStore.configuration();
        this.timeline = timeline;
        this.claims = claims;
    }

    void play(List<DemoWorker> workers) throws InterruptedException {
        timeline.act(
                "Act 6: the configuration changes under running workers",
                "The price of a ticket is a setting, and each worker checks what it is told before it applies it.");
        set(FIRST);
        workers.forEach(worker -> worker.send("follow", files.file(worker)));
        for (DemoWorker worker : workers) {
            timeline.event(
                    worker.name(),
                    "starts with the price of " + worker.await("price").number(0));
        }
        ConfigCommit good = changed(workers);
        rejected(workers);
        rolledBack(workers, good);
        startedWithoutTheStore(workers.get(0));
    }

    private ConfigCommit changed(List<DemoWorker> workers) throws InterruptedException {
        long since = System.nanoTime();
        ConfigCommit change = set(NEW);
        Duration slowest = Duration.ZERO;
        List<Long> prices = new ArrayList<>();
        for (DemoWorker worker : workers) {
            prices.add(worker.await("price").number(0));
            slowest = Duration.ofNanos(System.nanoTime() - since);
            timeline.event(
                    worker.name(), "applies it, " + DemoLog.precisely(slowest) + " after the office began to write");
        }
        claims.check(
                "a change of configuration reaches every worker while it runs",
                prices.stream().allMatch(price -> price == NEW),
                workers.size() + " workers, " + DemoLog.precisely(slowest));
        return change;
    }

    private void rejected(List<DemoWorker> workers) throws InterruptedException {
        set(BAD);
        for (DemoWorker worker : workers) {
            worker.await("rejected");
        }
        List<Long> prices = quotes(workers);
        FleetMember refusing = demoStore.member(
                workers.get(0).name(), member -> !member.rejected().isEmpty());
        timeline.event(
                "fleet", refusing.id() + " runs change " + refusing.change() + ", and rejects: " + refusing.rejected());
        claims.check(
                "nobody applies a bad value, and the last good one stays",
                prices.stream().allMatch(price -> price == NEW),
                "prices " + prices + ", not " + BAD);
    }

    private void rolledBack(List<DemoWorker> workers, ConfigCommit good) throws InterruptedException {
        store.rollback(good.change()).author("office").commit();
        timeline.event("office", "rolls back to change " + good.change());
        for (DemoWorker worker : workers) {
            worker.await("recovered");
        }
        List<Long> prices = quotes(workers);
        claims.check(
                "after a rollback all run the newest configuration again",
                prices.stream().allMatch(price -> price == NEW),
                "prices " + prices);
    }

    private void startedWithoutTheStore(DemoWorker worker) throws InterruptedException {
        worker.send("unfollow");
        worker.await("unfollowed");
        worker.send("restart", files.file(worker));
        Message started = worker.await("started");
        timeline.event(
                worker.name(),
                "starts anew where no store answers: " + started.text(0) + ", the price is " + started.number(1));
        claims.check(
                "without the store a worker starts with the last good configuration",
                started.text(0).equals("CACHED") && started.number(1) == NEW,
                started.text(0) + ", price " + started.number(1));
    }

    private ConfigCommit set(int price) throws InterruptedException {
        ConfigCommit change = store.edit()
                .put(DemoStore.PRICE, Integer.toString(price))
                .author("office")
                .commit();
        timeline.event("office", "sets the price to " + price + ", change " + change.change());
        return change;
    }

    private static List<Long> quotes(List<DemoWorker> workers) throws InterruptedException {
        List<Long> prices = new ArrayList<>();
        for (DemoWorker worker : workers) {
            worker.send("quote");
            prices.add(worker.await("quotes").number(0));
        }
        return prices;
    }
}
