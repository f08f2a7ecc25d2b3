package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.recipes.Barrier;
import java.util.Random;

/** Waits at a barrier for the others; some do not wait for long, and break its rounds. */
final class BarrierTurn implements RecipeTurn {

    private final Notes notes;
    private final Random random;
    private final Barrier barrier;

    BarrierTurn(Coordinator baton, Notes notes, Random random) {
        this.notes = notes;
        this.random = random;
        this.barrier = Barrier.named(baton, RecipeNames.BARRIER, RecipeNames.PARTIES);
    }

    @Override
    public void play() throws InterruptedException {
        long arrived = System.nanoTime();
        try {
            notes.verdict(RecipeNames.BARRIER, arrived, barrier.await(RecipeNames.someWait(random)));
        } catch (CoordinationException untold) {
            // The round has a verdict for the others, or will have one.
        }
    }
}
