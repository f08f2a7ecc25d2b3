package io.baton.config;

import java.util.List;
import java.util.Optional;

/** Listens for changes of a bound value. */
@FunctionalInterface
public interface BindingListener<T> {

    /**
     * Runs after the value has changed; the new one is in use already. The first call, soon after registration, has the
     * present value. A call that throws is repeated within the limits of {@link ListenerOptions}. If every attempt
     * throws, the next call includes its changes.
     *
     * @param before the value of the last successful call; empty in the first call
     * @param now the new value
     * @param changes the paths within it that differ, by effective value over all layers; empty in the first call
     */
    void changed(Optional<T> before, T now, List<KeyChange> changes);
}
