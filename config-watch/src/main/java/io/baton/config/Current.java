package io.baton.config;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** The one reference to what is in use. Any thread. */
final class Current {

    private final AtomicReference<InUse> reference;

    Current(InUse first) {
        reference = new AtomicReference<>(first);
    }

    InUse get() {
        return Objects.requireNonNull(reference.get());
    }

    /** Puts another state in the place of this one; false if that is in use no more. */
    boolean replace(InUse was, InUse now) {
        return reference.compareAndSet(was, now);
    }

    /**
     * Puts what this makes of the state in its place.
     *
     * @return what was in use before
     */
    InUse change(UnaryOperator<InUse> change) {
        return Objects.requireNonNull(reference.getAndUpdate(change));
    }
}
