package io.baton.examples.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What clients were told is stored, and when. Any thread. */
final class Acknowledged {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<LedgerEntry> entries = new ArrayList<>();
    private long highest;
    private long lastNanos;
    private Duration longestGap = Duration.ZERO;

    void add(LedgerEntry entry) {
        lock.lock();
        try {
            long now = System.nanoTime();
            Duration gap = entries.isEmpty() ? Duration.ZERO : Duration.ofNanos(now - lastNanos);
            longestGap = gap.compareTo(longestGap) > 0 ? gap : longestGap;
            lastNanos = now;
            highest = Math.max(highest, entry.term());
            entries.add(entry);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for an entry that was stored in this term or a later one. */
    void awaitTerm(long term) throws InterruptedException {
        lock.lock();
        try {
            long left = LIMIT.toNanos();
            while (highest < term) {
                if (left <= 0) {
                    throw new IllegalStateException("nothing was acknowledged in term " + term + " or later, within "
                            + LIMIT.toSeconds() + " s");
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The highest term in which an entry was stored. */
    long term() {
        lock.lock();
        try {
            return highest;
        } finally {
            lock.unlock();
        }
    }

    List<LedgerEntry> entries() {
        lock.lock();
        try {
            return List.copyOf(entries);
        } finally {
            lock.unlock();
        }
    }

    Duration longestGap() {
        lock.lock();
        try {
            return longestGap;
        } finally {
            lock.unlock();
        }
    }
}
