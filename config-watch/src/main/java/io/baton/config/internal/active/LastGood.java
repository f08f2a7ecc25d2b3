package io.baton.config.internal.active;

import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigSource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which states to keep for the next start: those that all bindings have accepted. Until the start is over, a
 * state replaces the kept one only if all bindings that had accepted the kept one are bound again. Values of a canary
 * are never kept, as an instance starts without it, nor is a state without the store. Any thread.
 */
public final class LastGood {

    /** The bindings that have accepted the kept state; empty if unknown. */
    private Optional<Set<String>> agreed;

    private boolean started;
    private @Nullable ConfigSnapshot kept;

    /** Starts with this kept state. */
    public LastGood(Optional<Cached> now) {
        agreed = now.isPresent() ? now.get().agreed().map(Set::copyOf) : Optional.of(Set.of());
    }

    /** Ends the start: from now on every state in use is good. */
    public synchronized void started() {
        started = true;
    }

    public synchronized boolean isStarted() {
        return started;
    }

    /** Returns whether this state is to be kept from now on, and is not yet. */
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
