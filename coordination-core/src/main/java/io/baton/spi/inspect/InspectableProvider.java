package io.baton.spi.inspect;

import io.baton.spi.StoreProvider;
import java.net.URI;
import java.time.Duration;

/** A provider whose stores can be looked at by operators. */
public interface InspectableProvider extends StoreProvider {

    /**
     * Looks at the store at this address; connects to nothing yet.
     *
     * @param patience how long a first contact, and then each request, may take
     * @throws IllegalArgumentException if the URI cannot be understood; the message shows a correct one
     */
    StoreInspector inspector(URI uri, Duration patience);
}
