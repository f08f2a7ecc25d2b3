package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.HistoryFile;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asks for locks, holds them and lets them go, until it is stopped; and notes down what it sees. */
final class Contender implements Runnable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_IDLE_MILLIS = 40;
    private static final int AFTER_TROUBLE_MILLIS = 200;

    private final ClientArguments arguments;
    private final String who;
    private final Notes notes;
    private final PartNotes parts;
    private final CountDownLatch stop;
    private final Random random;

    Contender(ClientArguments arguments, int number, HistoryFile history, CountDownLatch stop) {
        this.arguments = arguments;
        this.who = arguments.name() + "." + number;
        this.notes = new Notes(history, who);
        this.parts = new PartNotes(notes);
        this.stop = stop;
        this.random = new Random(arguments.seed() * 31 + number);
    }

    @Override
    public void run() {
        try (Coordinator baton = connect()) {
            notes.note(EventKind.CONNECTED);
            while (!stopped(random.nextInt(MOST_IDLE_MILLIS))) {
                contend(baton);
            }
        } catch (InterruptedException | RuntimeException broken) {
            notes.note(EventKind.TROUBLE, "why", broken);
        }
        notes.note(EventKind.ENDED);
    }

    /** Until it succeeds, or it is stopped: the cluster may be in trouble just now. */
    private Coordinator connect() throws InterruptedException {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(arguments.ttl())
                .client(who)
                .telemetry(parts)
                .rejoin(random.nextBoolean())
                .connectTimeout(PATIENCE)
                .requestTimeout(PATIENCE)
                .build();
        while (true) {
            try {
                return Coordinator.connect(arguments.uri(), options);
            } catch (CoordinationException notNow) {
                if (stopped(AFTER_TROUBLE_MILLIS)) {
                    throw notNow;
                }
            }
        }
    }

    private void contend(Coordinator baton) throws InterruptedException {
        Wish<?> wish = Wish.any(baton, arguments.names(), random);
        Asking how = Asking.any(random);
        String ask = notes.nextAsk();
        parts.asking(ask, wish.names());
        notes.note(EventKind.ASKED, "ask", ask, "lock", wish.names().get(0), "how", how);
        Optional<GrantedHolds> held;
        try {
            held = wish.ask(how, random);
        } catch (CoordinationException failed) {
            notes.note(EventKind.GAVE_UP, "ask", ask, "why", failed.getClass().getSimpleName());
            stopped(AFTER_TROUBLE_MILLIS);
            return;
        }
        if (held.isEmpty()) {
            notes.note(EventKind.GAVE_UP, "ask", ask, "why", "in-vain");
            return;
        }
        new HeldTurn(baton, held.get(), notes, random, ask).play();
    }

    /** Waits a little; true if it is to stop. */
    private boolean stopped(int millis) throws InterruptedException {
        return stop.await(millis, TimeUnit.MILLISECONDS);
    }
}
