package io.baton.config.internal.active;

import io.baton.config.internal.active.ActiveConfig.Telling;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** The one reference to the state in use. Any thread. */
public final class Current {

    private final AtomicReference<ActiveConfig> reference;

    public Current(ActiveConfig first) {
        reference = new AtomicReference<>(first);
    }

    public ActiveConfig get() {
        return Objects.requireNonNull(reference.get());
    }

    /** Replaces this state without notifying listeners; returns false if it is no longer in use. */
    public boolean replace(ActiveConfig was, ActiveConfig now) {
        return reference.compareAndSet(was, now);
    }

    /**
     * Replaces this state and collects notifications. The lock keeps them in the order in which the states came into
     * use.
     *
     * @return the pending notifications; empty if that state is no longer in use
     */
    public synchronized Optional<List<Telling>> replace(ActiveConfig was, Activation swap) {
        if (!reference.compareAndSet(was, swap.now())) {
            return Optional.empty();
        }
        List<Telling> told = new ArrayList<>();
        for (ActiveConfig.Audience audience : was.audiences()) {
            Telling telling = audience.applied(swap);
            if (telling != Telling.NONE) {
                told.add(telling);
            }
        }
        return Optional.of(told);
    }

    /**
     * Replaces the state by the result of this function.
     *
     * @return the former state
     */
    public ActiveConfig change(UnaryOperator<ActiveConfig> change) {
        return Objects.requireNonNull(reference.getAndUpdate(change));
    }
}
