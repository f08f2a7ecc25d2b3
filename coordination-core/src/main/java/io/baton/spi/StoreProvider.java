package io.baton.spi;

import java.net.URI;
import java.util.Set;

/** Finds a store by its URI scheme; registered through {@link java.util.ServiceLoader}. */
public interface StoreProvider {

    /** The schemes served, in lower case, as {@code zk}. */
    Set<String> schemes();

    /**
     * A store for this address; connects to nothing yet.
     *
     * @throws IllegalArgumentException if the URI cannot be understood; the message shows a correct one
     */
    Store create(URI uri);
}
