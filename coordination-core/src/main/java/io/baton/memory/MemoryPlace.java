package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.support.Downgrades;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A client's own place in a line. On the loop, except where it says otherwise. */
final class MemoryPlace implements Place {

    private final MemorySession session;
    private final Line line;
    private final Claim claim;
    private final PlaceListener to;
    private boolean clear;
    private boolean closed;
    private @Nullable CompletableFuture<Void> left;

    /** Set by the join; under the store's lock. */
    @Nullable
    MemoryEntry contender;

    MemoryPlace(MemorySession session, Line line, Claim claim, PlaceListener to) {
        this.session = session;
        this.line = line;
        this.claim = claim;
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

    @Override
    public CompletionStage<Void> downgrade() {
        Downgrades.check(line, claim, clear && !closed);
        return session.downgrade(this).thenRun(this::stillOpen);
    }

    private void stillOpen() {
        if (closed) {
            throw Downgrades.ended(line);
        }
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
            clear = true;
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
