package io.baton.cli.lock;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import io.baton.cli.run.Mandate;
import java.time.Duration;
import java.util.Optional;

/** A held lock as the mandate of a command. */
record HeldLock(Hold hold) implements Mandate {

    @Override
    public String name() {
        return hold.name();
    }

    @Override
    public long token() {
        return hold.token();
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
    public Optional<String> recall() {
        return Optional.empty();
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return hold.onState(state -> listener.run());
    }
}
