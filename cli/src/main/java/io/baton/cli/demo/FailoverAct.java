package io.baton.cli.demo;

import io.baton.Subscription;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.election.Leader;
import io.baton.election.LeaderObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Act 5: one worker leads and the others stand by while the leader dies, freezes, hands over or resigns. */
final class FailoverAct {

    private static final int STOCK = 10;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final DemoStore demoStore;
    private final Duration ttl;
    private final DemoLog timeline;
    private final Claims claims;
    private final LinkedBlockingQueue<Leader> sightings = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();
    private final List<String> led = new ArrayList<>();
    private boolean rising = true;
    /** The time of the event after which another worker is to lead. */
    private long since;

    private long term;
    private long sold;

    FailoverAct(DemoStore demoStore, Duration ttl, DemoLog timeline, Claims claims) {
        this.demoStore = demoStore;
        this.ttl = ttl;
        this.timeline = timeline;
        this.claims = claims;
    }

    void play(List<DemoWorker> workers) throws InterruptedException {
        timeline.act(
                "Act 5: a leader fails over to a standby",
                "One worker leads: it alone sells. The others stand by, and the office looks on.");
        demoStore.stock(STOCK);
        try (LeaderObserver onlooker = demoStore.election().observe()) {
            Subscription unused = onlooker.onChange(leader -> leader.ifPresent(sightings::add));
            workers.forEach(worker -> worker.send("stand"));
            for (DemoWorker worker : workers) {
                worker.await("standing");
            }
            DemoWorker first = next(workers, "");
            sell(first);
            List<DemoWorker> others = without(workers, first);
            DemoWorker second = killed(first, others);
            DemoWorker third = without(others, second).get(0);
            frozen(second, third);
            handedOver(third, second);
            resigned(second, third);
            for (DemoWorker worker : others) {
                worker.send("leave");
                worker.await("left");
            }
        }
        claims.check(
                "terms rise, and who looks on has seen each leader",
                rising && seen.equals(led),
                seen.size() + " leaders, up to " + seen.get(seen.size() - 1));
        long left = demoStore.left();
        claims.check(
                "in act 5 exactly what leaders sold counts", left == STOCK - sold, sold + " sold, " + left + " left");
    }

    private DemoWorker killed(DemoWorker leader, List<DemoWorker> standbys) throws InterruptedException {
        since = System.nanoTime();
        leader.kill();
        timeline.event(leader.name(), "killed while leading");
        DemoWorker next = next(standbys, "the kill");
        Duration gap = Duration.ofNanos(System.nanoTime() - since);
        claims.check(
                "after a kill a standby leads once the session has ended",
                gap.compareTo(ttl.plus(FailureActs.SLACK)) <= 0,
                DemoLog.seconds(gap) + ", ttl " + DemoLog.seconds(ttl));
        sell(next);
        return next;
    }

    private void frozen(DemoWorker leader, DemoWorker standby) throws InterruptedException {
        leader.send("count");
        long stale = leader.await("left").number(0);
        timeline.event(leader.name(), "has counted: " + stale + " left");
        Freeze freeze = Freeze.of(leader);
        since = System.nanoTime();
        timeline.event(leader.name(), "frozen while leading");
        next(List.of(standby), "the freeze");
        sell(standby);
        sell(standby);
        long before = demoStore.left();
        leader.send("sell");
        freeze.wake();
        timeline.event(leader.name(), "woken; writes " + (stale - 1) + " at once, without asking whether it leads");
        Message answer = leader.next();
        long after = demoStore.left();
        timeline.event("store", answer.verb() + " the write of the former leader; " + after + " left");
        claims.check(
                "the store refuses the late write of a frozen leader",
                answer.verb().equals("refused") && after == before,
                answer.verb() + ", stock " + before + " before and " + after + " after");
    }

    private void handedOver(DemoWorker leader, DemoWorker target) throws InterruptedException {
        since = System.nanoTime();
        timeline.event(leader.name(), "is asked to hand over to " + target.name() + ", which stands by again");
        demoStore.handOver(target.name());
        DemoWorker next = next(List.of(leader, target), "being asked");
        sell(next);
        claims.check(
                "the woken one stands by again, and is handed the leadership",
                next.equals(target),
                next.name() + " leads");
    }

    private void resigned(DemoWorker leader, DemoWorker standby) throws InterruptedException {
        since = System.nanoTime();
        leader.send("resign");
        DemoWorker next = next(List.of(standby), "resigning");
        leader.await("resigned");
        timeline.event(leader.name(), "has resigned, and stands by");
        sell(next);
    }

    /** Waits until the demo sees the next leader, and that worker has reported that it leads. */
    private DemoWorker next(List<DemoWorker> candidates, String after) throws InterruptedException {
        Leader leader = sightings.poll(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        if (leader == null) {
            throw new Failure(Exit.FAILED, "nobody leads after " + DemoLog.seconds(LIMIT));
        }
        seen.add(leader.id() + " " + leader.term());
        DemoWorker next = candidates.stream()
                .filter(worker -> worker.name().equals(leader.id()))
                .findFirst()
                .orElseThrow(() -> new Failure(Exit.FAILED, leader.id() + " leads, and should not"));
        next.send("lead");
        long own = next.await("leads").number(0);
        String gap = DemoLog.precisely(Duration.ofNanos(System.nanoTime() - since));
        timeline.event(next.name(), "leads, term " + own + (after.isEmpty() ? "" : ", " + gap + " after " + after));
        led.add(next.name() + " " + own);
        rising = rising && own > term;
        term = own;
        return next;
    }

    private void sell(DemoWorker leader) throws InterruptedException {
        leader.send("count");
        long left = leader.await("left").number(0);
        leader.send("sell");
        leader.await("applied");
        sold++;
        timeline.event(leader.name(), "sold one, " + (left - 1) + " left");
    }

    private static List<DemoWorker> without(List<DemoWorker> workers, DemoWorker one) {
        return workers.stream().filter(worker -> !worker.equals(one)).toList();
    }
}
