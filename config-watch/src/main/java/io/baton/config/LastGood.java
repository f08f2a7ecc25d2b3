package io.baton.config;

import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which states are kept for the next start: those that all that is bound has agreed to. One that came into use while not everything
 * was bound again that had agreed to the kept one may yet be rejected, so it does not take its place before the start is over; nor
 * do values of a canary, without which everybody begins. Any thread.
 */
final class LastGood {

    private SortedSet<String> agreed;
    private boolean started;

    /** This is kept now. */
    LastGood(Optional<Cached> kept) {
        agreed = kept.map(Cached::agreed).orElseGet(TreeSet::new);
    }

    /** The start is over: whatever is in use is good. */
    synchronized void started() {
        started = true;
    }

    /** Whether this is to be kept from now on, as it has come into use. */
    synchronized boolean keeps(InUse now) {
        SortedSet<String> names = Cached.agreed(now);
        boolean all = now.canary().isEmpty() && now.apart().isEmpty();
        boolean good = all && (started || names.containsAll(agreed));
        agreed = good ? names : agreed;
        return good;
    }

    /** Whether that changes with what was bound to it just now. */
    synchronized boolean keepsAnew(InUse now) {
        SortedSet<String> names = Cached.agreed(now);
        return !names.equals(agreed) && keeps(now);
    }
}
