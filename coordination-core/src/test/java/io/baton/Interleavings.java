package io.baton;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;

/**
 * Plays a scene of a few threads again and again, so that what they do comes in many orders.
 *
 * <p>As a rule they are the orders that the machine comes up with. With {@code -Dbaton.orders=500} and JDK 17
 * Lincheck's model checker chooses so many orders for each scene, the same ones in every run, and a failure shows the order
 * in which it came about.
 *
 * <p>A scene makes all that its threads share, and leaves no thread behind. For the checker's sake it calls {@code start}
 * and {@code join} of a thread by name, not by a method reference, and waits for {@link Flag}s; the checker's clock stands
 * still.
 */
public final class Interleavings {

    /** What one thread does. */
    public interface Act {
        /** Does it; what it throws fails the scene. */
        void run() throws Exception;
    }

    private static final int ORDERS = Integer.getInteger("baton.orders", 0);
    private static final int NEWEST_JDK = 17;
    private static final int ROUNDS = Boolean.getBoolean("baton.long") ? 5_000 : 500;

    private Interleavings() {}

    /** Plays the scene. */
    public static void of(Act scene) {
        if (ORDERS > 0) {
            // On later ones Lincheck lets a thread that runs a Runnable go its own way, and finds nothing without
            // saying so.
            int jdk = Runtime.version().feature();
            if (jdk > NEWEST_JDK) {
                throw new IllegalStateException("-Dbaton.orders needs JDK " + NEWEST_JDK + ", and this is " + jdk);
            }
            Lincheck.runConcurrentTest(ORDERS, () -> perform(scene));
        } else {
            for (int round = 0; round < ROUNDS; round++) {
                perform(scene);
            }
        }
    }

    /** Within a scene: does these at the same time, and returns when all are done. */
    public static void together(Act... acts) {
        var late = new AtomicInteger(ORDERS > 0 ? 0 : acts.length);
        List<Actor> others = new ArrayList<>();
        for (int i = 1; i < acts.length; i++) {
            Actor other = new Actor(acts[i], late);
            others.add(other);
            other.start();
        }
        Actor here = new Actor(acts[0], late);
        here.play();
        Throwable failure = here.failure;
        for (Actor other : others) {
            join(other);
            failure = failure == null ? other.failure : failure;
        }
        if (failure != null) {
            throw new AssertionError(failure);
        }
    }

    /** Within a scene: waits for the end of this thread. */
    public static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private static void perform(Act act) {
        try {
            act.run();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private static final class Actor extends Thread {

        private final Act act;
        private final AtomicInteger late;
        private Throwable failure;

        Actor(Act act, AtomicInteger late) {
            this.act = act;
            this.late = late;
            setDaemon(true);
        }

        @Override
        public void run() {
            play();
        }

        /** Not before the others are there: a thread takes longer to start than an act. */
        void play() {
            if (late.get() > 0) {
                late.decrementAndGet();
                while (late.get() > 0) {
                    Thread.yield();
                }
            }
            try {
                perform(act);
            } catch (AssertionError | RuntimeException failed) {
                failure = failed;
            }
        }
    }
}
