package io.baton.chaos.client;

import io.baton.Coordinator;
import io.baton.Telemetry;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.HistoryFile;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Uses recipes until it is stopped, all by one coordinator, and notes down what it sees. There is one in each process.
 */
final class RecipeUser implements Runnable {

    /**
     * So seldom that a counter, a barrier and an asking remember what they were told for as long as a client may be out of
     * contact: whoever asks later must not be answered wrongly.
     */
    private static final int MOST_IDLE_MILLIS = 2_000;

    private interface Kind {
        RecipeTurn of(Coordinator baton, Notes notes, Random random);
    }

    private final ClientArguments arguments;
    private final HistoryFile history;
    private final CountDownLatch stop;

    RecipeUser(ClientArguments arguments, HistoryFile history, CountDownLatch stop) {
        this.arguments = arguments;
        this.history = history;
        this.stop = stop;
    }

    @Override
    public void run() {
        String who = arguments.name() + ".recipes";
        boolean rejoin = new Random(arguments.seed()).nextBoolean();
        try (Coordinator baton = new ClientConnector(arguments, stop).connect(who, rejoin, new Telemetry() {})) {
            List<Thread> threads = List.of(
                    thread("recipes", baton, StockTurn::new),
                    thread("barrier-1", baton, BarrierTurn::new),
                    thread("barrier-2", baton, BarrierTurn::new),
                    thread("double-1", baton, DoubleBarrierTurn::new),
                    thread("double-2", baton, DoubleBarrierTurn::new),
                    thread("latch-1", baton, LatchTurn::new),
                    thread("latch-2", baton, LatchTurn::new),
                    thread("asking", baton, AskingTurn::new),
                    thread("group", baton, GroupTurn::new));
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException | RuntimeException broken) {
            history.note(who, EventKind.TROUBLE, "why", broken);
        }
        history.note(who, EventKind.ENDED);
    }

    private Thread thread(String word, Coordinator baton, Kind kind) {
        Notes notes = new Notes(history, arguments.name() + "." + word);
        Random random = new Random(arguments.seed() * 31 + word.hashCode());
        return new Thread(() -> repeat(kind, baton, notes, random), word);
    }

    private void repeat(Kind kind, Coordinator baton, Notes notes, Random random) {
        try {
            RecipeTurn turn = kind.of(baton, notes, random);
            while (!stop.await(random.nextInt(MOST_IDLE_MILLIS), TimeUnit.MILLISECONDS)) {
                turn.play();
            }
        } catch (InterruptedException | RuntimeException broken) {
            notes.note(EventKind.TROUBLE, "why", broken);
        }
    }
}
