package io.baton.config;

import java.util.List;

/** Listens for changes of values in the store. */
@FunctionalInterface
public interface ConfigListener {

    /**
     * Runs after values have changed; the new ones are in use already. The first call, soon after registration, has the
     * present values. A call that throws is repeated within the limits of {@link ListenerOptions}. If every attempt
     * throws, the next call includes its changes: each call has the differences since the last one that succeeded.
     *
     * @param changes of the keys that it listens for; not empty, except in the first call. A key that was rewritten
     *     with the same text, or deleted and created again, is included
     * @param revision the revision of these values
     */
    void changed(List<KeyChange> changes, long revision);
}
