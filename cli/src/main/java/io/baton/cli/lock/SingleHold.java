package io.baton.cli.lock;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import java.time.Duration;

/** The hold of a lock, or of permits. */
record SingleHold(Hold hold) implements Held {

    @Override
    public String name() {
        return hold.name();
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
