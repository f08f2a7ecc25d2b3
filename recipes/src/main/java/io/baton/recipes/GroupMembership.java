package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.MembershipState;
import io.baton.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The own membership in a {@link Group}, until it is closed. If its session ends, or its entry is removed, Baton joins
 * again, with the same id and the last data. It belongs to no thread: any thread may use and close it.
 *
 * <p><b>Guarantees.</b> While {@link #remaining()} is positive, the store has this member's entry, so all that read the
 * group see it. A loss is always signalled.
 *
 * <p><b>A loss</b> is what it is with a {@link io.baton.Hold}: the entry has gone, or the store has not confirmed the
 * session before the deadline. The latter is a loss also if it is confirmed later, as when the process was frozen. The
 * entry has stood all the time then, and the state is JOINED again at once.
 *
 * <p><b>A machine that sleeps.</b> {@link #remaining()} counts the sleep, so it is right at the first look. The state is
 * JEOPARDY until the store answers. If the session has lived on, nothing was lost. If not, the loss is signalled by that
 * answer, or at the deadline by the monotonic clock, which stood still: at most a {@link io.baton.Coordinator#ttl()} after
 * the machine woke.
 *
 * <p><b>Not guaranteed.</b> After a loss, others may see the member for a while: until the store ends its session.
 */
public interface GroupMembership extends AutoCloseable {

    /** Returns the id of this member, which no other has. */
    String id();

    /** Returns whether this member is in. It is right at the first look: a deadline that has passed is noticed here. */
    MembershipState state();

    /** Returns how long this member is certain to be in without further contact; zero while it is not certain. */
    Duration remaining();

    /**
     * Waits until this member is in, after a loss until it is in again, but no longer than this.
     *
     * @return false if the time has passed; Baton goes on joining
     * @throws io.baton.SessionLostException if the membership or the coordinator is closed
     */
    @CheckReturnValue
    boolean awaitJoined(Duration timeout) throws InterruptedException;

    /**
     * Returns a future that completes on a callback thread once this member is in for the first time. {@code
     * joinedAsync().get()} waits for that without a limit.
     */
    @CheckReturnValue
    CompletableFuture<Void> joinedAsync();

    /**
     * Replaces what this member says of itself. Others see it about a second later: the new entry joins before the old
     * one leaves, and updates in quick succession are merged, so that many members do not write at the same moment.
     *
     * @param data at most {@link Group#MAX_DATA_BYTES}
     */
    void update(byte[] data);

    /** {@link #update(byte[])} with text in UTF-8. */
    void update(String data);

    /**
     * Runs the listener on a callback thread with the present state, and with each change. States that follow each other
     * quickly may be merged; the last one is always delivered.
     */
    Subscription onState(Consumer<MembershipState> listener);

    /**
     * Runs the listener on a callback thread whenever the membership is lost, with the reason. Losses that follow each
     * other quickly may be merged. Baton joins again: {@link #onState} says when this member is in. What others see of the
     * group need not have changed by then.
     */
    Subscription onLost(Consumer<String> listener);

    /**
     * Runs the listener on a callback thread with the partitions that this member serves, of {@code 0} to {@code
     * partitions - 1}, whenever they change. They are this member's in the {@link Assignment} of the present members. It
     * begins with none.
     *
     * <pre>{@code
     * me.onAssignment(256, partitions -> worker.serve(partitions));
     * }</pre>
     *
     * <p><b>Guarantees.</b> There are none while this member is not in (JOINING, CLOSED), and until a view of the group
     * that is current has this member in it. In JEOPARDY they stay as they were, for as long as it is certain to be in: a
     * view from before a break of contact changes nothing. The listener is called with one list after the other, in
     * order, and never beside itself. While it runs, changes are merged. A loss is never left out: partitions end, by an
     * empty list, before they begin again.
     *
     * <p><b>Not guaranteed.</b> Two members may serve a partition for a while, as {@link Assignment} says. A lock for each
     * partition prevents that.
     *
     * @param partitions how many there are; all members use the same number
     * @throws IllegalArgumentException if there is no partition
     */
    Subscription onAssignment(int partitions, Consumer<List<Integer>> listener);

    /**
     * Leaves the group. Waits for the store's confirmation for at most {@link
     * io.baton.CoordinatorOptions#closeTimeout()}; after that, Baton repeats the removal until it is confirmed. Called
     * from a callback, it does not wait. Idempotent.
     */
    @Override
    void close();

    /** Leaves the group without waiting. The future completes on a callback thread. */
    CompletableFuture<Void> closeAsync();
}
