package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.DoubleBarrierRound;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Enters a double barrier together with the others, works, and leaves together with them; some go without waiting. */
final class DoubleBarrierTurn implements RecipeTurn {

    private static final int MOST_WORK_MILLIS = 1_500;
    private static final int ONE_GOES_OF = 10;

    private final Notes notes;
    private final Random random;
    private final DoubleBarrier barrier;

    DoubleBarrierTurn(Coordinator baton, Notes notes, Random random) {
        this.notes = notes;
        this.random = random;
        this.barrier = DoubleBarrier.named(baton, RecipeNames.DOUBLE_BARRIER, RecipeNames.PARTIES);
    }

    @Override
    public void play() throws InterruptedException {
        long arrived = System.nanoTime();
        try (DoubleBarrierRound round = barrier.enter(RecipeNames.someWait(random))) {
            notes.verdict(RecipeNames.ENTRY, arrived, round.entry());
            if (round.entry().passed()) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_WORK_MILLIS));
                leave(round);
            }
        } catch (CoordinationException untold) {
            // The round has a verdict for the others, or will have one.
        }
    }

    private void leave(DoubleBarrierRound round) throws InterruptedException {
        if (random.nextInt(ONE_GOES_OF) > 0) {
            long ready = System.nanoTime();
            notes.verdict(RecipeNames.EXIT, ready, round.leave(RecipeNames.someWait(random)));
        }
    }
}
