package io.baton.chaos.election;

import java.util.concurrent.TimeUnit;

/** What servers are asked while something happens, over what they are asked when nothing does. */
final class RequestCost {

    private static final long IDLE_MILLIS = 2_000;
    private static final long QUIET_MILLIS = 400;
    private static final int MOST_LOOKS = 50;

    private final Site site;
    private final double idlePerSecond;
    private long before;
    private long began;

    private RequestCost(Site site, double idlePerSecond) {
        this.site = site;
        this.idlePerSecond = idlePerSecond;
    }

    /** Looks for a while at what clients ask when nothing happens. */
    static RequestCost on(Site site) throws InterruptedException {
        settle(site, 0);
        long before = sum(site);
        TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
        return new RequestCost(site, (sum(site) - before) * 1000.0 / IDLE_MILLIS);
    }

    void begin() {
        before = sum(site);
        began = System.nanoTime();
    }

    /** How many of what happened since {@link #begin}, each, once it is over. */
    double each(int times) throws InterruptedException {
        settle(site, idlePerSecond);
        double seconds = (System.nanoTime() - began) / 1e9;
        return (sum(site) - before - idlePerSecond * seconds) / times;
    }

    /** Until not much more is asked than when nothing happens. */
    private static void settle(Site site, double idlePerSecond) throws InterruptedException {
        long last = sum(site);
        for (int i = 0; i < MOST_LOOKS; i++) {
            TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
            long now = sum(site);
            if (now - last <= 3 + 2 * idlePerSecond * QUIET_MILLIS / 1000) {
                return;
            }
            last = now;
        }
    }

    private static long sum(Site site) {
        return site.requests().values().stream().mapToLong(Long::longValue).sum();
    }
}
