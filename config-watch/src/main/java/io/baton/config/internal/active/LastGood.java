package io.baton.config.internal.active;

import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigSource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which states are kept for the next start: those that all that is bound has agreed to. One that came into use while not everything
 * was bound again that had agreed to the kept one may yet be rejected, so it does not take its place before the start is over; nor
 * do values of a canary, without which everybody begins, nor ever none of the store. Any thread.
 */
public final class LastGood {

    /** Empty if it is not known who has agreed to what is kept. */
    private Optional<Set<String>> agreed;

    private boolean started;
    private @Nullable ConfigSnapshot kept;

    /** This is kept now. */
    public LastGood(Optional<Cached> now) {
        agreed = now.isPresent() ? now.get().agreed().map(Set::copyOf) : Optional.of(Set.of());
    }

    /** The start is over: whatever is in use is good. */
    public synchronized void started() {
        started = true;
    }

    public synchronized boolean isStarted() {
        return started;
    }

    /** Whether this is to be kept from now on, and is not yet. */
    public synchronized boolean keeps(ActiveConfig now) {
        Set<String> names = Cached.names(now);
        boolean all = now.canary().isEmpty()
                && now.apart().isEmpty()
                && now.snapshot().source() != ConfigSource.BUNDLED;
        boolean good = all && (started || agreed.filter(names::containsAll).isPresent());
        if (!good || (isKept(now) && agreed.filter(names::equals).isPresent())) {
            return false;
        }
        agreed = Optional.of(names);
        kept = now.snapshot();
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // each state has a snapshot of its own
    private boolean isKept(ActiveConfig now) {
        return kept == now.snapshot();
    }
}
