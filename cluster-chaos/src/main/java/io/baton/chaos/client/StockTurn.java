package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.OutcomeUnknownException;
import io.baton.chaos.history.EventKind;
import io.baton.recipes.Counter;
import io.baton.recipes.Seat;
import io.baton.recipes.Seats;
import io.baton.recipes.Sequence;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** Counts, takes numbers, and a seat. */
final class StockTurn implements RecipeTurn {

    private static final int MOST_NUMBERS = 15;
    private static final Duration MOST_WAIT = Duration.ofSeconds(10);

    private final Coordinator baton;
    private final Notes notes;
    private final Random random;
    private final Counter counter;
    private final Sequence sequence;
    private final Seats seats;

    StockTurn(Coordinator baton, Notes notes, Random random) {
        this.baton = baton;
        this.notes = notes;
        this.random = random;
        this.counter = Counter.named(baton, RecipeNames.COUNTER);
        this.sequence = Sequence.named(baton, RecipeNames.SEQUENCE, RecipeNames.BLOCK);
        this.seats = Seats.named(baton, RecipeNames.SEATS, RecipeNames.NUMBER_OF_SEATS);
    }

    @Override
    public void play() throws InterruptedException {
        count();
        takeNumbers();
        sit();
    }

    /** Some say it twice, which must count once. */
    private void count() throws InterruptedException {
        String addition = notes.nextWrite();
        notes.note(EventKind.ADDING, "addition", addition);
        for (int times = 1 + random.nextInt(2); times > 0; times--) {
            try {
                boolean unused = counter.addOnce(1, addition);
                notes.note(EventKind.ADDED, "addition", addition);
            } catch (OutcomeUnknownException unknown) {
                return;
            } catch (CoordinationException notNow) {
                notes.note(
                        EventKind.NOT_ADDED,
                        "addition",
                        addition,
                        "why",
                        notNow.getClass().getSimpleName());
            }
        }
    }

    private void takeNumbers() throws InterruptedException {
        try {
            for (int more = random.nextInt(MOST_NUMBERS); more > 0; more--) {
                notes.note(EventKind.NUMBERED, "number", sequence.next());
            }
        } catch (CoordinationException notNow) {
            // The numbers that it may have taken are nobody's.
        }
    }

    private void sit() throws InterruptedException {
        Optional<Seat> seat;
        try {
            seat = random.nextBoolean()
                    ? seats.take(MOST_WAIT)
                    : seats.tryTake(random.nextInt(RecipeNames.NUMBER_OF_SEATS));
        } catch (CoordinationException notNow) {
            return;
        }
        if (seat.isPresent()) {
            new HeldTurn(baton, GrantedHolds.seat(seat.get()), notes, random, notes.nextAsk()).play();
        }
    }
}
