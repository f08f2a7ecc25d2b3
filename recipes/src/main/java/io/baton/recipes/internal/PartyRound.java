package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Subscription;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.DoubleBarrierRound;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A round of a double barrier, as its party has it from the verdict on entering on. Any thread. */
record PartyRound(RecipeContext context, DoubleBarrierParty party, BarrierRound entry) implements DoubleBarrierRound {

    @Override
    public DoubleBarrierRound orThrow() {
        if (!entry.passed()) {
            throw new CoordinationException("round " + entry.number() + " was not entered: " + entry.why());
        }
        return this;
    }

    @Override
    public BarrierRound leave() throws InterruptedException {
        return party.leave().await();
    }

    @Override
    public BarrierRound leave(Duration timeout) throws InterruptedException {
        PartyWait.check(timeout);
        return party.leave().await(timeout);
    }

    @Override
    public CompletableFuture<BarrierRound> leaveAsync() {
        return party.leave().async();
    }

    @Override
    public Subscription onBroken(Consumer<String> listener) {
        var wanted = new AtomicBoolean(true);
        Futures.onDone(party.ended(), (end, failure) -> {
            if (end == null || !end.passed()) {
                String why = end == null ? String.valueOf(Futures.cause(failure).getMessage()) : end.why();
                context.callbacks().runUrgently(() -> {
                    if (wanted.get()) {
                        listener.accept(why);
                    }
                });
            }
        });
        return () -> wanted.set(false);
    }

    @Override
    public Duration remaining() {
        return party.remaining();
    }

    @Override
    public void close() {
        party.abandon("it has closed the round");
    }

    @Override
    public String toString() {
        return "round " + entry.number() + " of a double barrier";
    }
}
