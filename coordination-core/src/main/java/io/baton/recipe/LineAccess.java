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

/** A coordinator's lines, across its sessions. Any thread, unless a method says otherwise; what is asked completes on the loop. */
public interface LineAccess {

    /**
     * Checks that the store can have such a line.
     *
     * @throws IllegalArgumentException if it cannot, for its path or its dialect
     */
    void check(Line line);

    /**
     * Joins the line of this resource and waits until first, however long it takes and across sessions.
     *
     * @param payload what the entry says, made of what the client says of itself
     * @throws io.baton.CoordinationException if too many acquisitions are under way
     */
    LineAcquisition acquire(Resource resource, UnaryOperator<byte[]> payload, LineAcquisition.Listener to);

    /** An entry of this client in the line while its session lasts, once {@link Membership#publish} has said what it says. */
    Membership join(Line line);

    /**
     * Who stands in the line, first first, with one read.
     *
     * @param what for people, whose line it is
     */
    CompletableFuture<List<Peer>> peers(Line line, Object what);

    /**
     * Who stands in the line, first first, in full; an entry that goes meanwhile is left out. On the loop.
     *
     * @param what for people, whose line it is
     */
    CompletableFuture<List<Entry>> entries(Line line, Object what);

    /** Calls the listener on the loop with who stands first, across sessions: as {@link io.baton.spi.HeadListener#head}. */
    Subscription observeHead(Line line, Consumer<Optional<Entry>> listener);

    /**
     * The entry of this hold, which this coordinator has granted.
     *
     * @throws IllegalArgumentException if it is none of Baton's
     */
    Peer entryOf(Hold hold);

    /**
     * Its owner is about to remove the entry of this hold by a transaction: from here on it is released, not lost. On the
     * loop.
     */
    void markReleased(Hold hold);
}
