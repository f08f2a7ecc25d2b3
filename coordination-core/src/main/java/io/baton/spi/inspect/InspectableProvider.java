package io.baton.spi.inspect;

import io.baton.spi.StoreProvider;
import java.net.URI;
import java.time.Duration;

/** A provider whose stores operators can inspect. */
public interface InspectableProvider extends StoreProvider {

    /**
     * Returns an inspector of the store at this address; connects to nothing yet.
     *
     * @param patience the time limit of the first contact, and then of each request
     * @throws IllegalArgumentException if the URI cannot be understood; the message shows a correct one
     */
    StoreInspector inspector(URI uri, Duration patience);
}
