package io.baton.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * One line of the table.
 *
 * @param name what it is called on the command line
 * @param what what is done
 * @param goal the least ratio that is aimed at
 * @param clients how many sessions
 * @param workers how many threads
 * @param roundTrip what the network adds to a round trip
 */
record Row(
        String name, String what, double goal, int clients, int workers, Duration roundTrip, boolean acked, Work work) {

    private static final Duration LOOPBACK = Duration.ZERO;
    private static final Duration SLOW = Duration.ofMillis(2);

    static List<Row> all() {
        return List.of(
                new Row("acked", "uncontended, release acked", 1.35, 1, 1, LOOPBACK, true, Work.LOOP),
                new Row("sent", "uncontended, release sent", 1.8, 1, 1, LOOPBACK, false, Work.LOOP),
                new Row("acked-2ms", "the same, acked, 2 ms round trip", 1.4, 1, 1, SLOW, true, Work.LOOP),
                new Row("sent-2ms", "the same, sent, 2 ms round trip", 2.5, 1, 1, SLOW, false, Work.LOOP),
                handOff(2, 1.15),
                handOff(8, 1.4),
                handOff(32, 1.1),
                handOff(128, 1.0),
                new Row("threads-200", "one lock object, 200 threads", 15, 1, 201, LOOPBACK, true, Work.DRAIN));
    }

    private static Row handOff(int clients, double goal) {
        String what = "hand-offs, " + clients + " clients";
        return new Row("hand-off-" + clients, what, goal, clients, clients, LOOPBACK, true, Work.LOOP);
    }
}
