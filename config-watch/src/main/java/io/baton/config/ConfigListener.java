package io.baton.config;

import java.util.List;

/** Told of values in the store. */
@FunctionalInterface
public interface ConfigListener {

    /**
     * They have changed; the new ones are in use already. The first call, soon after registration, tells what is there. If it
     * throws, it is called again for the same, within the limits of {@link ListenerOptions}.
     *
     * @param changes of the keys that it listens for; not empty, but for the first call
     * @param revision at which they were like this
     */
    void changed(List<KeyChange> changes, long revision);
}
