package io.baton.recipe;

import io.baton.Hold;
import io.baton.Subscription;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A coordinator's lines, across sessions. Any thread, unless a method says otherwise. Futures complete on the loop. */
public interface LineAccess {

    /**
     * Checks that the store supports this line.
     *
     * @throws IllegalArgumentException if it does not support the path or the dialect
     */
    void check(Line line);

    /**
     * Joins the line of this resource and waits to be first, without a time limit and across sessions.
     *
     * @param payload makes the entry's payload from the client's description of itself
     * @throws io.baton.TooManyWaitersException if too many acquisitions are under way
     */
    LineAcquisition acquire(Resource resource, UnaryOperator<byte[]> payload, LineAcquisition.Listener to);

    /**
     * Returns a membership of this client in the line. The first {@link Membership#publish} creates its entry.
     *
     * @param line its members exclude each other, or are members only, as in {@link Resource#group}
     */
    Membership join(Line line, Membership.Listener to);

    /** {@link #join(Line, Membership.Listener)} without a listener. */
    default Membership join(Line line) {
        return join(line, Membership.Listener.NONE);
    }

    /** {@link #join(Line, Membership.Listener)} in the line of this resource. */
    default Membership join(Resource resource, Membership.Listener to) {
        return join(resource.line(), to);
    }

    /** Reads the members of this resource's line, oldest entry first. A member that goes meanwhile is left out. */
    CompletableFuture<List<LineMember>> members(Resource resource);

    /**
     * Calls the listener on the loop with the members of the line and their payloads: once they have been read, with
     * each change, and when it is no longer certain, or certain again, that they are the present ones. Across sessions.
     * Changes in quick succession may be merged; the last state is always delivered. The payload of an entry is read
     * once. The cost of a change grows with the length of the line.
     */
    Subscription observeMembers(Resource resource, Consumer<LineMembers> listener);

    /**
     * Reads the contenders in the line, first one first, with one request.
     *
     * @param what the owner of the line, for people
     */
    CompletableFuture<List<Peer>> peers(Line line, Object what);

    /**
     * Reads the entries of the line, first one first. An entry that is removed meanwhile is left out. On the loop.
     *
     * @param what the owner of the line, for people
     */
    CompletableFuture<List<Entry>> entries(Line line, Object what);

    /** Calls the listener on the loop as {@link io.baton.spi.HeadListener#head}, across sessions. */
    Subscription observeHead(Line line, Consumer<Optional<Entry>> listener);

    /**
     * Returns the entry of this hold, which must be one of this coordinator's.
     *
     * @throws IllegalArgumentException if the hold is none of Baton's
     */
    Peer entryOf(Hold hold);

    /**
     * Releases this hold, which must be one of this coordinator's. As {@link Hold#releaseAsync()}, but the future
     * completes on the loop, however long callbacks take.
     *
     * @throws IllegalArgumentException if the hold is none of Baton's
     */
    CompletableFuture<Void> release(Hold hold);

    /**
     * Marks the hold as released, before its owner removes its entry by a transaction. Otherwise the removal would
     * count as a loss. On the loop.
     */
    void markReleased(Hold hold);
}
