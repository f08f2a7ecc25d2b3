package io.baton.tck.mutation;

import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Counts which steps of the acquisition's state machine a simulation takes. The machine itself counts nothing; a copy of it
 * does.
 */
public final class LockSteps {

    private static final StepCount COUNT = new StepCount(
            "coordination-core", "internal.AcquisitionMachine", "state + \" \" + event + \" \" + validity");

    private static final List<String> OFTEN = List.of(
            "WAITING WAITS PROVEN",
            "WAITING WAITS UNPROVEN",
            "WAITING WAITS PAST_DEADLINE",
            "WAITING CLEAR PROVEN",
            "WAITING CLEAR UNPROVEN",
            "WAITING CLEAR PAST_DEADLINE",
            "WAITING GONE PROVEN",
            "WAITING GONE PAST_DEADLINE",
            "WAITING ENDED UNPROVEN",
            "WAITING CANCEL PROVEN",
            "WAITING CANCEL UNPROVEN",
            "WAITING CANCEL PAST_DEADLINE",
            "WAITING CLOSE PROVEN",
            "WAITING CLOSE UNPROVEN",
            "UNPROVEN CONNECTED PAST_DEADLINE",
            "UNPROVEN SUSPENDED UNPROVEN",
            "UNPROVEN PROVEN PROVEN",
            "UNPROVEN ENDED UNPROVEN",
            "HELD CONNECTED PROVEN",
            "HELD SUSPENDED PROVEN",
            "HELD PROVEN PROVEN",
            "HELD TIMER PROVEN",
            "HELD TIMER PAST_DEADLINE",
            "HELD GONE PROVEN",
            "HELD ENDED PROVEN",
            "HELD CLOSE PROVEN",
            "DONE CANCEL PROVEN",
            "DONE CLOSE PROVEN",
            "DONE TIMER PAST_DEADLINE");

    /** Two things have to meet within a moment. */
    private static final List<String> SELDOM = List.of(
            "WAITING GONE UNPROVEN",
            "UNPROVEN CANCEL UNPROVEN",
            "UNPROVEN CANCEL PAST_DEADLINE",
            "UNPROVEN CLOSE UNPROVEN",
            "UNPROVEN GONE PAST_DEADLINE",
            "HELD CANCEL PROVEN");

    private static final long MANY_SEEDS = 10_000;

    private LockSteps() {}

    /** What so many seeds have to take; callers' own time limits are no part of the simulations, which cancel instead. */
    public static List<String> expected(long seeds) {
        return seeds < MANY_SEEDS
                ? OFTEN
                : Stream.concat(OFTEN.stream(), SELDOM.stream()).toList();
    }

    /**
     * How often each was taken: what the state was, what happened, and how alive the session was then, as {@code HELD
     * SUSPENDED UNPROVEN}.
     *
     * @param simulations runs a seed of the kind that it is given; has a constructor without parameters
     */
    public static Map<String, Long> count(
            Class<? extends ObjLongConsumer<String>> simulations, String kind, LongStream seeds) {
        return COUNT.of(simulations, kind, seeds);
    }
}
