package io.baton.cli.lock;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import java.time.Duration;
import java.util.List;

/**
 * The hold of a lock, or of permits.
 *
 * @param hold the hold
 * @param evictions tells how it was lost
 */
record SingleHold(Hold hold, EvictionLookup evictions) implements Held {

    @Override
    public List<Hold> inOrder() {
        return List.of(hold);
    }

    @Override
    public String token() {
        return Long.toString(hold.token());
    }

    @Override
    public Duration remaining() {
        return hold.remaining();
    }

    @Override
    public HoldState state() {
        return hold.state();
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return hold.onState(state -> listener.run());
    }

    @Override
    public void close() {
        hold.close();
    }
}
