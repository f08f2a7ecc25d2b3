package io.baton.config.internal.active;

import io.baton.config.internal.active.ActiveConfig.Telling;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** The one reference to what is in use. Any thread. */
public final class Current {

    private final AtomicReference<ActiveConfig> reference;

    public Current(ActiveConfig first) {
        reference = new AtomicReference<>(first);
    }

    public ActiveConfig get() {
        return Objects.requireNonNull(reference.get());
    }

    /** Puts another state in the place of this one, of which nobody is to be told; false if that is in use no more. */
    public boolean replace(ActiveConfig was, ActiveConfig now) {
        return reference.compareAndSet(was, now);
    }

    /**
     * The same where audiences are to be told: in the order in which the states came into use, which the lock is for.
     *
     * @return what is to be told by whom; empty if that is in use no more
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
     * Puts what this makes of the state in its place.
     *
     * @return what was in use before
     */
    public ActiveConfig change(UnaryOperator<ActiveConfig> change) {
        return Objects.requireNonNull(reference.getAndUpdate(change));
    }
}
