package io.baton.config;

import java.util.List;

/** Told of values in the store. */
@FunctionalInterface
public interface ConfigListener {

    /**
     * They have changed; the new ones are in use already. The first call, soon after registration, tells what is there. If it
     * throws, it is called again for the same, within the limits of {@link ListenerOptions}, and if it then still throws, what
     * it was to be told becomes part of the next call: each one tells what differs since the last one that went well.
     *
     * @param changes of the keys that it listens for; not empty, but for the first call. A key that was written anew with the
     *     same text, or deleted and made again, is among them
     * @param revision at which they were like this
     */
    void changed(List<KeyChange> changes, long revision);
}
