package io.baton.tck;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Moment;
import java.util.Optional;
import java.util.Set;

/**
 * Cuts the contact of a store's clients at a single message, for {@link FaultContract}. The store defines its messages:
 * a request and its answer are two, an event is one. Messages that a client library sends by itself at any time do not
 * count.
 */
public interface Cuts {

    /** A cut that waits for its message. */
    interface Cut {

        /** The name of the message at which the cut was made; empty until then. */
        Optional<String> message();

        /** Arms another cut, which counts messages once this one has been made. */
        Cut then(Direction direction, Moment moment, int n);

        /** Disarms the cut; it is not made after this has returned. */
        void disarm();
    }

    /**
     * Arms one cut of the contact of a client that uses {@link StoreUnderTest#uri()}. It strikes at the n-th message
     * from now on in this direction, before or after that is forwarded. Clients regain contact as soon as they try.
     */
    Cut at(Direction direction, Moment moment, int n);

    /** The names of the messages that the tests must cut, before and after; otherwise the test fails as incomplete. */
    Set<String> expected(Act act, Direction direction);
}
