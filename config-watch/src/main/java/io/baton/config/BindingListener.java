package io.baton.config;

import java.util.List;
import java.util.Optional;

/** Told of a bound value. */
@FunctionalInterface
public interface BindingListener<T> {

    /**
     * The value has changed; the new one is in use already. The first call, soon after registration, tells the present one.
     * If it throws, it is called again for the same, within the limits of {@link ListenerOptions}, and if it then still throws,
     * what it was to be told becomes part of the next call.
     *
     * @param before the value told before; empty in the first call
     * @param now the value
     * @param changes which paths within it differ, by effective value over all layers; empty in the first call
     */
    void changed(Optional<T> before, T now, List<KeyChange> changes);
}
