package io.baton.cli.lock;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Eviction;
import io.baton.Hold;
import io.baton.SessionState;
import java.util.Optional;

/**
 * Finds out whether a hold was lost because it was evicted.
 *
 * @param baton the client whose hold it is
 * @param last reads the last eviction from the lock or semaphore with this name
 */
record EvictionLookup(Coordinator baton, LastEviction last) {

    /** A read from the store. */
    @FunctionalInterface
    interface LastEviction {
        Optional<Eviction> from(String name) throws InterruptedException;
    }

    /** Returns by whom this hold was evicted and why; empty if it was not, or if the store cannot be asked now. */
    Optional<String> of(Hold hold) {
        if (baton.state() != SessionState.CONNECTED) {
            return Optional.empty();
        }
        try {
            return last.from(hold.name())
                    .filter(eviction -> eviction.token() == hold.token())
                    .map(eviction -> "evicted by " + eviction.by() + " (" + eviction.reason() + ")");
        } catch (CoordinationException unknown) {
            return Optional.empty();
        } catch (InterruptedException signalled) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
