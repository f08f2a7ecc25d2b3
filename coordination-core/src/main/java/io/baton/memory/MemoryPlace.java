package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.spi.Entry;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A client's own place in a line. On the loop, except where it says otherwise. */
final class MemoryPlace implements Place {

    private final MemorySession session;
    private final PlaceListener to;
    private boolean closed;
    private @Nullable CompletableFuture<Void> left;

    /** Set by the join; under the store's lock. */
    @Nullable
    MemoryEntry contender;

    MemoryPlace(MemorySession session, PlaceListener to) {
        this.session = session;
        this.to = to;
    }

    @Override
    public CompletionStage<Void> leave() {
        closed = true;
        if (left == null) {
            left = session.leave(this);
        }
        return left;
    }

    /** Returns whether the listener is no longer called: the place has been left or lost. */
    boolean isClosed() {
        return closed;
    }

    void waiting() {
        if (!closed) {
            to.waiting();
        }
    }

    void clear(Entry mine) {
        if (!closed) {
            to.clear(mine);
        }
    }

    void lost(CoordinationException why) {
        if (!closed) {
            closed = true;
            session.forget(this);
            to.lost(why);
        }
    }
}
