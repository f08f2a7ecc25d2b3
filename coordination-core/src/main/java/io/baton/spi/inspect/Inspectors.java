package io.baton.spi.inspect;

import io.baton.spi.Stores;
import java.net.URI;
import java.time.Duration;

/** Finds the inspector of a URI's store. */
public final class Inspectors {

    private Inspectors() {}

    /**
     * Returns the inspector of the store at this address.
     *
     * @param patience the time limit of the first contact, and then of each request
     * @throws IllegalArgumentException if the URI cannot be understood, no store on the class path serves it, or that
     *     store has no inspector
     */
    public static StoreInspector at(String uri, Duration patience) {
        if (Stores.provider(uri) instanceof InspectableProvider inspectable) {
            return inspectable.inspector(URI.create(uri), patience);
        }
        throw new IllegalArgumentException("stores of '" + URI.create(uri).getScheme() + ":' cannot be inspected");
    }
}
