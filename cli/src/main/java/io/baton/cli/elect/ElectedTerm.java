package io.baton.cli.elect;

import io.baton.HoldState;
import io.baton.Subscription;
import io.baton.cli.run.Mandate;
import io.baton.election.Leadership;
import io.baton.election.StopReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A term, as what a command runs under.
 *
 * @param name what the election is called here
 * @param leadership the term itself
 * @param stopped completed once the command has ended; until then nobody else leads while the store can be reached
 */
record ElectedTerm(String name, Leadership leadership, CompletableFuture<Void> stopped) implements Mandate {

    @Override
    public long token() {
        return leadership.term();
    }

    @Override
    public Duration remaining() {
        return leadership.remaining();
    }

    @Override
    public HoldState state() {
        StopReason why = leadership.stopReason().orElse(null);
        if (why == StopReason.LOST || leadership.remaining().isZero()) {
            return HoldState.LOST;
        }
        return why == StopReason.JEOPARDY ? HoldState.JEOPARDY : HoldState.HELD;
    }

    /** A term in which the work was told to stop is over, whatever comes. */
    @Override
    public Optional<String> recall() {
        return leadership.stopReason().map(why -> switch (why) {
            case JEOPARDY, LOST -> "about to be lost";
            default -> "handed over";
        });
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return leadership.onStop(why -> listener.run());
    }
}
