package io.baton.chaos.nemesis;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** Does things at their time, one after the other, in the thread that waits for them all. */
final class Timeline {

    /** Something to do. */
    interface Act {
        void run() throws InterruptedException;
    }

    private record Entry(long nanos, Act act) {}

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(Comparator.comparingLong(Entry::nanos));

    /** Does it at this time, or as soon as it can be. */
    void at(long nanos, Act act) {
        entries.add(new Entry(nanos, act));
    }

    /** Until there is nothing left to do. */
    void play() throws InterruptedException {
        while (!entries.isEmpty()) {
            long wait = entries.element().nanos() - System.nanoTime();
            if (wait > 0) {
                TimeUnit.NANOSECONDS.sleep(wait);
            }
            entries.remove().act().run();
        }
    }
}
