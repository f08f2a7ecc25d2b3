package io.baton.tck;

import io.baton.testkit.LongRun;
import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Moment;
import java.util.List;
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

    /**
     * When messages are cut. Every day only before they are handed on, by which a request or its answer is lost. After a
     * request has gone its answer is lost as well, and after an answer the next request.
     */
    default List<Moment> moments() {
        return LongRun.asked() ? List.of(Moment.values()) : List.of(Moment.BEFORE);
    }

    /**
     * Whether acts of dozens of messages are cut at each of them. Every day only until each kind of message has been
     * cut.
     */
    default boolean eachOfDozens() {
        return LongRun.asked();
    }

    /** The names of the messages that the tests must cut; otherwise the test fails as incomplete. */
    Set<String> expected(Act act, Direction direction);
}
