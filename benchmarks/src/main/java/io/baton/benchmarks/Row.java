package io.baton.benchmarks;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;

/**
 * One line of the table.
 *
 * @param name what it is called on the command line
 * @param what what is done
 * @param goal the least ratio that is aimed at
 * @param clients how many sessions
 * @param workers how many threads
 * @param roundTrip what the network adds to a round trip
 * @param acked whether Baton waits for its releases to be confirmed
 * @param work what the workers do
 * @param kind which lock
 */
public record Row(
        String name,
        String what,
        double goal,
        int clients,
        int workers,
        Duration roundTrip,
        boolean acked,
        Work work,
        LockKind kind) {

    /** A row about a mutex. */
    Row(String name, String what, double goal, int clients, int workers, Duration roundTrip, boolean acked, Work work) {
        this(name, what, goal, clients, workers, roundTrip, acked, work, LockKind.MUTEX);
    }

    /** Whether it measures hand-offs, which an event's way limits. */
    public boolean handsOff() {
        return work == Work.LOOP && workers > 1 && kind == LockKind.MUTEX;
    }

    /** Whether it measures hand-offs of which each client takes part as one worker. */
    boolean handsOffAmongClients() {
        return handsOff() && clients == workers;
    }

    /** The part of one of its clients. */
    Row ofOneClient() {
        return new Row(name, what, goal, 1, 1, roundTrip, acked, work, kind);
    }

    /** Clients that hand the lock on to one another. */
    static Row handOff(int clients, double goal) {
        return handOff(clients, Duration.ZERO, goal);
    }

    /** The same over a network that adds this to a round trip. */
    static Row handOff(int clients, Duration roundTrip, double goal) {
        boolean near = roundTrip.isZero();
        String millis = new DecimalFormat("0.#", DecimalFormatSymbols.getInstance(Locale.ROOT))
                .format(roundTrip.toNanos() / 1e6);
        String name = "hand-off-" + clients + (near ? "" : "-" + millis + "ms");
        String what = "hand-offs, " + clients + " clients" + (near ? "" : ", " + millis + " ms round trip");
        return new Row(name, what, goal, clients, clients, roundTrip, true, Work.LOOP);
    }

    /** Threads of one client that pass such a lock on to one another. */
    static Row ofThreads(String name, String what, LockKind kind, int threads, double goal) {
        return new Row(name, what, goal, 1, threads, Duration.ZERO, true, Work.LOOP, kind);
    }

    /** So many clients with a recipe of this kind. */
    static Row recipe(String name, String what, LockKind kind, int clients, int workers, Work work) {
        return new Row(name, what, 1.0, clients, workers, Duration.ZERO, true, work, kind);
    }

    /** Eight clients that share a lock of this kind, over a network that adds this to a round trip. */
    static Row shared(String name, String what, LockKind kind, Duration roundTrip, double goal) {
        return new Row(name, what, goal, 8, 8, roundTrip, true, Work.LOOP, kind);
    }
}
