package io.baton.chaos.client;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.HistoryFile;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asks for locks, holds them and lets them go, until it is stopped; and notes down what it sees. */
final class Contender implements Runnable {

    private static final int MOST_IDLE_MILLIS = 40;
    private static final int AFTER_TROUBLE_MILLIS = 200;
    private static final int MOST_SHARED_TURNS = 8;

    private final ClientArguments arguments;
    private final String who;
    private final Notes notes;
    private final PartNotes parts;
    private final CountDownLatch stop;
    private final Coordinator shared;
    private final Random random;

    /** A contender; {@code shared} is the coordinator by which those of its process share places in line. */
    Contender(ClientArguments arguments, int number, HistoryFile history, CountDownLatch stop, Coordinator shared) {
        this.arguments = arguments;
        this.who = arguments.name() + "." + number;
        this.notes = new Notes(history, who);
        this.parts = new PartNotes(notes);
        this.stop = stop;
        this.shared = shared;
        this.random = new Random(arguments.seed() * 31 + number);
    }

    @Override
    public void run() {
        ClientConnector connector = new ClientConnector(arguments, stop);
        try (Coordinator baton = connector.connect(who, random.nextBoolean(), parts)) {
            notes.note(EventKind.CONNECTED);
            while (!stopped(random.nextInt(MOST_IDLE_MILLIS))) {
                contend(Wish.any(baton, shared, arguments.names(), random));
            }
        } catch (InterruptedException | RuntimeException broken) {
            notes.note(EventKind.TROUBLE, "why", broken);
        }
        notes.note(EventKind.ENDED);
    }

    /** Once, or several times in a row where places are shared: contenders of one process meet there only by that. */
    private void contend(Wish<?> wish) throws InterruptedException {
        int turns = wish.baton() == shared ? 1 + random.nextInt(MOST_SHARED_TURNS) : 1;
        contendOnce(wish);
        for (int turn = 1; turn < turns && !stopped(random.nextInt(MOST_IDLE_MILLIS)); turn++) {
            contendOnce(wish);
        }
    }

    private void contendOnce(Wish<?> wish) throws InterruptedException {
        WayToAsk how = WayToAsk.any(random);
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
        new HeldTurn(wish.baton(), held.get(), notes, random, ask).play();
    }

    /** Waits a little; true if it is to stop. */
    private boolean stopped(int millis) throws InterruptedException {
        return stop.await(millis, TimeUnit.MILLISECONDS);
    }
}
