package io.baton.tck.mutation;

import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Counts the steps of the acquisition's state machine in a simulation. The counting is done in a copy of the machine.
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

    /** Steps that need two events within a moment. */
    private static final List<String> SELDOM = List.of(
            "WAITING GONE UNPROVEN",
            "UNPROVEN CANCEL UNPROVEN",
            "UNPROVEN CANCEL PAST_DEADLINE",
            "UNPROVEN CLOSE UNPROVEN",
            "UNPROVEN GONE PAST_DEADLINE",
            "HELD CANCEL PROVEN");

    private static final long MANY_SEEDS = 10_000;

    private LockSteps() {}

    /**
     * The steps that this many seeds have to take. Callers' own time limits are not simulated; simulations cancel
     * instead.
     */
    public static List<String> expected(long seeds) {
        return seeds < MANY_SEEDS
                ? OFTEN
                : Stream.concat(OFTEN.stream(), SELDOM.stream()).toList();
    }

    /**
     * Returns how often each step was taken. A step is the state, the event and the liveness of the session, as
     * {@code HELD SUSPENDED UNPROVEN}.
     *
     * @param simulations runs a seed of the given kind; has a constructor without parameters
     */
    public static Map<String, Long> count(
            Class<? extends ObjLongConsumer<String>> simulations, String kind, LongStream seeds) {
        return COUNT.of(simulations, kind, seeds);
    }
}
