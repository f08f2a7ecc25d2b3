package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.WriteHold;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a contender does while it holds: looks at its holds again and again, and writes now and then if it holds alone,
 * without a look before, and also when the hold has been lost meanwhile: the store has to refuse that. Some writers go on
 * as readers.
 */
final class HeldTurn {

    private static final int MOST_BETWEEN_LOOKS_MILLIS = 20;

    private final Coordinator baton;
    private final GrantedHolds held;
    private final Notes notes;
    private final Random random;
    private final String ask;
    private final List<NotedHold> holds;

    /** From the grant on, which answers this question. */
    HeldTurn(Coordinator baton, GrantedHolds held, Notes notes, Random random, String ask) {
        this.baton = baton;
        this.held = held;
        this.notes = notes;
        this.random = random;
        this.ask = ask;
        this.holds = held.holds().stream()
                .map(hold -> new NotedHold(hold, ask, held.details(), notes))
                .toList();
    }

    /** Up to the release. */
    void play() throws InterruptedException {
        hold();
        for (NotedHold hold : holds) {
            if (hold.look() == HoldState.LOST) {
                // The store must refuse it.
                write(hold);
                hold.awaitTold();
            }
        }
        if (random.nextInt(4) == 0) {
            // Under way at the release: it is applied before the next one holds, or never.
            var unused = send(any());
        }
        holds.forEach(NotedHold::releasing);
        Optional<Hold> reader = random.nextInt(3) == 0 ? downgraded() : Optional.empty();
        if (reader.isEmpty()) {
            release();
        }
        holds.forEach(NotedHold::released);
        if (reader.isPresent()) {
            new HeldTurn(baton, GrantedHolds.shared(reader.get()), notes, random, ask).play();
        }
    }

    private void release() {
        boolean waits = random.nextInt(4) > 0;
        (waits ? held.close() : held.releaseAsync()).run();
    }

    /** The reader's hold, of a writer. */
    private Optional<Hold> downgraded() throws InterruptedException {
        if (!(held.holds().get(0) instanceof WriteHold writer)) {
            return Optional.empty();
        }
        try {
            return Optional.of(writer.downgrade());
        } catch (CoordinationException refused) {
            return Optional.empty();
        }
    }

    /** For some time; some go on for as long as it is in doubt whether they hold. */
    private void hold() throws InterruptedException {
        int writes = random.nextInt(3);
        boolean clings = random.nextBoolean();
        long length =
                Math.max(TimeUnit.MILLISECONDS.toNanos(length()), held.least().toNanos());
        long until = System.nanoTime() + length;
        boolean inDoubt = false;
        while (System.nanoTime() - until < 0 || (clings && inDoubt)) {
            inDoubt = look();
            if (writes > 0) {
                writes--;
                write(any());
            }
        }
    }

    /** Mostly short; long now and then, so that something happens meanwhile. */
    private int length() {
        int of = random.nextInt(100);
        if (of < 60) {
            return random.nextInt(30);
        }
        if (of < 90) {
            return random.nextInt(400);
        }
        return random.nextInt(of < 99 ? 3_000 : 12_000);
    }

    /** Whether it is in doubt of one of them that it is held. */
    private boolean look() throws InterruptedException {
        boolean inDoubt = false;
        for (NotedHold hold : holds) {
            inDoubt |= hold.look() == HoldState.JEOPARDY;
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_BETWEEN_LOOKS_MILLIS));
        return inDoubt;
    }

    /** Goes on looking while the write is on its way. */
    private void write(NotedHold hold) throws InterruptedException {
        CompletableFuture<Void> done = send(hold);
        while (!done.isDone()) {
            look();
        }
    }

    /** Sends a write. Those who share have no counter. */
    private CompletableFuture<Void> send(NotedHold hold) throws InterruptedException {
        return held.exclusive()
                ? new CounterWrite(baton, hold.hold(), notes).send()
                : CompletableFuture.completedFuture(null);
    }

    private NotedHold any() {
        return holds.get(random.nextInt(holds.size()));
    }
}
