package io.baton.chaos.client;

import java.util.List;
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

    private RecipeNames() {}

    /** The locks of the seats. */
    public static List<String> seatLocks() {
        return IntStream.range(0, NUMBER_OF_SEATS)
                .mapToObj(number -> SEATS + "/" + number)
                .toList();
    }
}
