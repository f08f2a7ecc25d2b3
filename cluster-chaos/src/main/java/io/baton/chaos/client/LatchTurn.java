package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.chaos.history.EventKind;
import io.baton.recipes.Latch;
import java.time.Duration;
import java.util.Random;

/** Counts down at the latch of these seconds, and waits until others have, too. */
final class LatchTurn implements RecipeTurn {

    private static final Duration EACH = Duration.ofSeconds(4);

    private final Coordinator baton;
    private final Notes notes;
    private final Random random;

    LatchTurn(Coordinator baton, Notes notes, Random random) {
        this.baton = baton;
        this.notes = notes;
        this.random = random;
    }

    @Override
    public void play() throws InterruptedException {
        long asked = System.nanoTime();
        String name = RecipeNames.ofNow(RecipeNames.LATCH, EACH);
        Latch latch = Latch.named(baton, name);
        try {
            boolean unused = latch.open(RecipeNames.COUNT);
            notes.note(EventKind.COUNTING_DOWN, "latch", name, "id", notes.who());
            if (latch.countDown(notes.who())) {
                notes.note(EventKind.COUNTED_DOWN, "latch", name, "id", notes.who(), "asked", asked);
            }
            if (latch.await(RecipeNames.someWait(random))) {
                String counted = String.join(",", latch.state().counted());
                notes.note(EventKind.LET_GO, "latch", name, "counted", counted, "asked", asked);
            }
        } catch (CoordinationException notNow) {
            // Others count down, or did.
        }
    }
}
