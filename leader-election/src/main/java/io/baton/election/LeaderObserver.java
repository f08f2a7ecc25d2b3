package io.baton.election;

import io.baton.CheckReturnValue;
import io.baton.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Follows who leads, without being a candidate.
 *
 * <p><b>Guarantees.</b> While in contact with the store, every leader who leads for longer than one read takes is told,
 * and so is that nobody does, in order and once; after a break of the contact the present one.
 *
 * <p><b>Not guaranteed.</b> That who is shown leads at this moment: without contact it may be long outdated, and the work
 * of a new leader begins when its own client has heard. Whoever is sent work has to check its own {@link Leadership}.
 */
public interface LeaderObserver extends AutoCloseable {

    /** The leader as last seen; empty if nobody leads, or nothing has been seen yet. */
    Optional<Leader> leader();

    /**
     * Told the present leader, as soon as it is known, and every change; empty: nobody. One at a time and in order; who
     * falls behind by a thousand is told the newest only.
     */
    Subscription onChange(Consumer<Optional<Leader>> listener);

    /**
     * Waits until somebody leads.
     *
     * @throws io.baton.CoordinationException if closed meanwhile
     */
    Leader awaitLeader() throws InterruptedException;

    /**
     * Waits until somebody leads, but no longer than this.
     *
     * @return empty if the time has passed
     * @throws io.baton.CoordinationException if closed meanwhile
     */
    @CheckReturnValue
    Optional<Leader> awaitLeader(Duration timeout) throws InterruptedException;

    /** Ends the observation; listeners are told nothing more. */
    @Override
    void close();
}
