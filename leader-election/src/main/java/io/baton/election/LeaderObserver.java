package io.baton.election;

import io.baton.CheckReturnValue;
import io.baton.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Follows the leader of an election without being a candidate.
 *
 * <p><b>Guarantees.</b> While the store can be reached, listeners get every leader that leads for longer than one read
 * takes, and every vacancy, in order and once. After a loss of contact they get the present leader.
 *
 * <p><b>Not guaranteed.</b> The leader shown may no longer lead: without contact the answer can be long outdated. The
 * work of a new leader begins only when its own client has seen the change. A process that receives work has to check
 * its own {@link Leadership}.
 */
public interface LeaderObserver extends AutoCloseable {

    /** The leader as last seen; empty if there is none, or nothing has been seen yet. */
    Optional<Leader> leader();

    /**
     * Passes the present leader to the listener as soon as it is known, and then every change; empty means no leader.
     * Calls come one at a time and in order. A listener that falls behind by a thousand gets the newest only.
     */
    Subscription onChange(Consumer<Optional<Leader>> listener);

    /**
     * Waits until there is a leader.
     *
     * @throws io.baton.CoordinationException if closed meanwhile
     */
    Leader awaitLeader() throws InterruptedException;

    /**
     * Waits until there is a leader, but no longer than this.
     *
     * @return empty if the time has passed
     * @throws io.baton.CoordinationException if closed meanwhile
     */
    @CheckReturnValue
    Optional<Leader> awaitLeader(Duration timeout) throws InterruptedException;

    /** Ends the observation; listeners are not called any more. */
    @Override
    void close();
}
