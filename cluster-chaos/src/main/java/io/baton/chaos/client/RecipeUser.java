package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.OutcomeUnknownException;
import io.baton.Telemetry;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.HistoryFile;
import io.baton.recipes.Counter;
import io.baton.recipes.Seat;
import io.baton.recipes.Seats;
import io.baton.recipes.Sequence;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Counts, takes numbers and seats, until it is stopped; and notes down what it sees. One in each process. */
final class RecipeUser implements Runnable {

    /**
     * So seldom that the counter remembers an operation for as long as a client may be out of contact: whoever asks
     * later whether it was applied must not be answered wrongly.
     */
    private static final int MOST_IDLE_MILLIS = 2_000;

    private static final int MOST_NUMBERS = 15;
    private static final Duration MOST_WAIT = Duration.ofSeconds(10);

    private final ClientArguments arguments;
    private final String who;
    private final Notes notes;
    private final CountDownLatch stop;
    private final Random random;

    RecipeUser(ClientArguments arguments, HistoryFile history, CountDownLatch stop) {
        this.arguments = arguments;
        this.who = arguments.name() + ".recipes";
        this.notes = new Notes(history, who);
        this.stop = stop;
        this.random = new Random(arguments.seed() * 31 - 1);
    }

    @Override
    public void run() {
        try (Coordinator baton =
                new ClientConnector(arguments, stop).connect(who, random.nextBoolean(), new Telemetry() {})) {
            Counter counter = Counter.named(baton, RecipeNames.COUNTER);
            Sequence sequence = Sequence.named(baton, RecipeNames.SEQUENCE, RecipeNames.BLOCK);
            Seats seats = Seats.named(baton, RecipeNames.SEATS, RecipeNames.NUMBER_OF_SEATS);
            while (!stop.await(random.nextInt(MOST_IDLE_MILLIS), TimeUnit.MILLISECONDS)) {
                count(counter);
                takeNumbers(sequence);
                sit(baton, seats);
            }
        } catch (InterruptedException | RuntimeException broken) {
            notes.note(EventKind.TROUBLE, "why", broken);
        }
        notes.note(EventKind.ENDED);
    }

    /** Some say it twice, which must count once. */
    private void count(Counter counter) throws InterruptedException {
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

    private void takeNumbers(Sequence sequence) throws InterruptedException {
        try {
            for (int more = random.nextInt(MOST_NUMBERS); more > 0; more--) {
                notes.note(EventKind.NUMBERED, "number", sequence.next());
            }
        } catch (CoordinationException notNow) {
            // The numbers that it may have taken are nobody's.
        }
    }

    private void sit(Coordinator baton, Seats seats) throws InterruptedException {
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
