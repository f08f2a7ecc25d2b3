package io.baton.spi;

import java.net.URI;
import java.util.Set;

/** Creates stores by URI scheme; registered through {@link java.util.ServiceLoader}. */
public interface StoreProvider {

    /** Returns the schemes served, in lower case, such as {@code zk}. */
    Set<String> schemes();

    /**
     * Returns the store at this address; connects to nothing yet.
     *
     * @throws IllegalArgumentException if the URI cannot be understood; the message shows a correct one
     */
    Store create(URI uri);
}
