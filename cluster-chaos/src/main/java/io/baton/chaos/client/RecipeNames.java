package io.baton.chaos.client;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What recipes are used in a run. */
public final class RecipeNames {

    /** The name of the counter. */
    public static final String COUNTER = "additions";

    /** The name of the seats, and of their semaphore. */
    public static final String SEATS = "seats";

    /** Fewer than processes, so that some wait. */
    public static final int NUMBER_OF_SEATS = 3;

    static final String SEQUENCE = "numbers";

    /** So small that a block is often used up. */
    public static final int BLOCK = 20;

    /** The name of the barrier. */
    public static final String BARRIER = "barrier";

    /** Verdicts on entering the double barrier are told of here. */
    public static final String ENTRY = "entry";

    /** Verdicts on leaving the double barrier are told of here. */
    public static final String EXIT = "exit";

    /** Fewer than come, which are two of each process. */
    public static final int PARTIES = 3;

    /** How many have to count down at each latch; fewer than do. */
    public static final int COUNT = 3;

    /** The name of the asking. */
    public static final String ASKING = "asking";

    /** The lock under which an asking is served. */
    public static final String SERVING = "asking/" + ASKING;

    /** The name of the group. */
    public static final String GROUP = "group";

    static final String DOUBLE_BARRIER = "double";
    static final String LATCH = "latch";

    private static final int LEAST_WAIT_MILLIS = 1_000;
    private static final int MOST_WAIT_MILLIS = 10_000;

    private RecipeNames() {}

    /** For how long a client waits for others. */
    static Duration someWait(Random random) {
        return Duration.ofMillis(LEAST_WAIT_MILLIS + random.nextInt(MOST_WAIT_MILLIS - LEAST_WAIT_MILLIS));
    }

    /** A name that all processes have for something at this moment; after so long they have another one. */
    static String ofNow(String what, Duration each) {
        return what + "-" + System.nanoTime() / each.toNanos();
    }

    /** The locks of the seats. */
    public static List<String> seatLocks() {
        return IntStream.range(0, NUMBER_OF_SEATS)
                .mapToObj(number -> SEATS + "/" + number)
                .toList();
    }
}
