package io.baton.benchmarks;

import java.time.Duration;

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
 */
record Row(
        String name, String what, double goal, int clients, int workers, Duration roundTrip, boolean acked, Work work) {

    /** Clients that hand the lock on to one another. */
    static Row handOff(int clients, double goal) {
        String what = "hand-offs, " + clients + " clients";
        return new Row("hand-off-" + clients, what, goal, clients, clients, Duration.ZERO, true, Work.LOOP);
    }
}
