package io.baton.cli.demo;

import io.baton.QueueEntry;
import java.time.Duration;

/** Acts 3 and 4: the lock and the stock when a holder dies or freezes. */
final class FailureActs {

    private static final int STOCK = 10;
    /** One sale after the kill, two after the freeze, one by the woken worker once it holds again. */
    private static final int SALES = 4;
    /**
     * The time that the store may take beyond the ttl. It checks sessions at intervals, and this machine may be busy.
     */
    static final Duration SLACK = Duration.ofSeconds(5);

    private final DemoStore demoStore;
    private final Duration ttl;
    private final DemoLog timeline;
    private final Claims claims;

    FailureActs(DemoStore demoStore, Duration ttl, DemoLog timeline, Claims claims) {
        this.demoStore = demoStore;
        this.ttl = ttl;
        this.timeline = timeline;
        this.claims = claims;
    }

    /** Act 3. */
    void killed(DemoWorker victim, DemoWorker next) throws InterruptedException {
        timeline.act(
                "Act 3: the holder is killed", "SIGKILL: no clean-up, no goodbye. The next in line must get the lock.");
        demoStore.stock(STOCK);
        long token = take(victim);
        next.send("take");
        for (QueueEntry entry : demoStore.queue(2)) {
            timeline.event(
                    "line", (entry.holder() ? "holds: " : "waits: ") + entry.client() + ", token " + entry.token());
        }
        long killed = System.nanoTime();
        victim.kill();
        timeline.event(victim.name(), "killed while holding");
        long nextToken = next.await("held").number(0);
        Duration gap = Duration.ofNanos(System.nanoTime() - killed);
        timeline.event(next.name(), "holds, token " + nextToken + ", " + DemoLog.seconds(gap) + " after the kill");
        sell(next);
        claims.check(
                "after a kill the next in line holds once the session has ended",
                gap.compareTo(ttl.plus(SLACK)) <= 0,
                DemoLog.seconds(gap) + ", ttl " + DemoLog.seconds(ttl));
        claims.check("the next holder's token is larger", nextToken > token, nextToken + " > " + token);
    }

    /** Act 4. */
    void frozen(DemoWorker sleeper, DemoWorker next) throws InterruptedException {
        timeline.act(
                "Act 4: the holder freezes",
                "SIGSTOP between reading and writing, as a long pause of a JVM or a machine.");
        long token = take(sleeper);
        sleeper.send("read");
        long stale = sleeper.await("left").number(0);
        timeline.event(sleeper.name(), "has read: " + stale + " left");
        Freeze freeze = Freeze.of(sleeper);
        long frozen = System.nanoTime();
        timeline.event(sleeper.name(), "frozen while holding");
        next.send("take");
        long nextToken = next.await("held").number(0);
        Duration gap = Duration.ofNanos(System.nanoTime() - frozen);
        timeline.event(next.name(), "holds, token " + nextToken + ", " + DemoLog.seconds(gap) + " after the freeze");
        sell(next);
        take(next);
        sell(next);
        long before = demoStore.left();
        sleeper.send("write");
        freeze.wake();
        timeline.event(sleeper.name(), "woken; writes " + (stale - 1) + " at once, without a look at its hold");
        Message answer = sleeper.next();
        long after = demoStore.left();
        timeline.event("store", answer.verb() + " the write of token " + token + "; " + after + " left");
        timeline.event(sleeper.name(), "now its hold says " + answer.text(0));
        claims.check(
                "a frozen holder's lock passes on with a larger token", nextToken > token, nextToken + " > " + token);
        claims.check(
                "the store refuses the late write of the woken one",
                answer.verb().equals("refused") && after == before,
                answer.verb() + ", stock " + before + " before and " + after + " after");
        claims.check("the woken one's hold says LOST", answer.text(0).equals("LOST"), answer.text(0));
        recover(sleeper, nextToken);
    }

    /** The woken worker joins the line again at its end, and its next sale counts. */
    private void recover(DemoWorker woken, long lastToken) throws InterruptedException {
        woken.send("free");
        woken.await("freed");
        long token = take(woken);
        sell(woken);
        long left = demoStore.left();
        claims.check(
                "the woken one can stand in line again and sell",
                token > lastToken,
                "token " + token + ", " + left + " left");
        claims.check(
                "in acts 3 and 4 exactly the guarded sales count",
                left == STOCK - SALES,
                SALES + " sold, " + left + " of " + STOCK + " left");
    }

    private long take(DemoWorker worker) throws InterruptedException {
        worker.send("take");
        long token = worker.await("held").number(0);
        timeline.event(worker.name(), "holds, token " + token);
        return token;
    }

    private void sell(DemoWorker worker) throws InterruptedException {
        worker.send("read");
        long left = worker.await("left").number(0);
        worker.send("write");
        worker.await("applied");
        worker.send("free");
        worker.await("freed");
        timeline.event(worker.name(), "sold one, " + (left - 1) + " left, and released");
    }
}
