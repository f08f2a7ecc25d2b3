package io.baton.tck;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Moment;
import java.util.Optional;
import java.util.Set;

/**
 * How a store's contact is cut at a single message, for the chapter on faults. What a message is, is the store's to say:
 * a request and its answer are two, and news that nobody asked for are one. Those that a client library sends of itself,
 * whenever it likes, do not count.
 */
public interface Cuts {

    /** A cut that waits for its message. */
    interface Cut {

        /** The name of the message at which it was made; empty until then. */
        Optional<String> message();

        /** Makes another cut, which counts messages from when this one has been made. */
        Cut then(Direction direction, Moment moment, int n);

        /** Once this has returned it is not made any more. */
        void disarm();
    }

    /**
     * Cuts the contact of whoever came by {@link StoreUnderTest#uri()}, once, at the n-th message from now on in this
     * direction, before or after it has been handed on. Clients come back into contact as soon as they try.
     */
    Cut at(Direction direction, Moment moment, int n);

    /** Names of messages of which the tests have to meet each, before and after, or else they tried too little. */
    Set<String> expected(Act act, Direction direction);
}
