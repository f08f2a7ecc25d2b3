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
 * A term as the mandate of a command.
 *
 * @param name the name of the election
 * @param leadership the term itself
 * @param stopped completes once the command has ended; until then no other candidate leads while the store is reachable
 */
record ElectedTerm(String name, Leadership leadership, CompletableFuture<Void> stopped) implements Mandate {

    @Override
    public String token() {
        return Long.toString(leadership.term());
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

    /** A term with a stop signal is over, whatever follows. */
    @Override
    public Optional<String> recall() {
        return leadership.stopReason().map(why -> switch (why) {
            case JEOPARDY, LOST -> "about to be lost";
            default -> "handed over";
        });
    }

    @Override
    public Optional<String> lossReason() {
        return Optional.empty();
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return leadership.onStop(why -> listener.run());
    }
}
