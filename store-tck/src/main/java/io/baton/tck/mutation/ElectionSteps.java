package io.baton.tck.mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the steps of a candidacy's state machine in a simulation. A step is the state, the event and whether the
 * candidacy was closed, as {@code DEPOSED RETURNED LEAVING}.
 */
public final class ElectionSteps {

    private static final String MACHINE = "election.internal.candidacy.CandidacyMachine";

    private static final StepCount COUNT =
            new StepCount("leader-election", MACHINE, "state + \" \" + event + (leaving ? \" LEAVING\" : \"\")");

    private static final List<String> OFTEN = List.of(
            "IDLE BEGIN",
            "STANDING GRANTED",
            "STANDING REFUSED",
            "STANDING HELD_BACK",
            "STANDING CLOSE LEAVING",
            "LEADING JEOPARDY",
            "LEADING LOST",
            "LEADING RESIGN",
            "LEADING RETURNED",
            "LEADING CLOSE LEAVING",
            "STOPPING JEOPARDY",
            "STOPPING LOST",
            "STOPPING LATE",
            "STOPPING LATE LEAVING",
            "STOPPING RETURNED",
            "STOPPING RETURNED LEAVING",
            "STOPPING CLOSE LEAVING",
            "DEPOSED LOST",
            "DEPOSED RETURNED",
            "LEADING AGREED",
            "HANDING_OVER LATE",
            "HANDING_OVER RETURNED",
            "PASSING LOST",
            "PASSING PASSED",
            "OVER CLOSE LEAVING");

    /** Steps that need two events within a moment. */
    private static final List<String> SELDOM = List.of(
            "IDLE CLOSE LEAVING",
            "STOPPING RESIGN",
            "STOPPING RESIGN LEAVING",
            "STOPPING JEOPARDY LEAVING",
            "STOPPING LOST LEAVING",
            "DEPOSED JEOPARDY",
            "DEPOSED JEOPARDY LEAVING",
            "DEPOSED LOST LEAVING",
            "DEPOSED LATE",
            "DEPOSED LATE LEAVING",
            "DEPOSED RESIGN",
            "DEPOSED RETURNED LEAVING",
            "DEPOSED CLOSE LEAVING",
            "HANDING_OVER JEOPARDY",
            "HANDING_OVER LOST",
            "HANDING_OVER CLOSE LEAVING",
            "HANDING_OVER LATE LEAVING",
            "HANDING_OVER RETURNED LEAVING",
            "PASSING LATE",
            "PASSING CLOSE LEAVING",
            "PASSING LOST LEAVING",
            "PASSING PASSED LEAVING",
            "OVER BEGIN LEAVING");

    /**
     * Steps that need several events at once. In some thousands of seeds they were seen on one store only, or on none.
     */
    private static final List<String> RARELY = List.of(
            "STANDING DOUBLED",
            "STANDING VANISHED",
            "DEPOSED RESIGN LEAVING",
            "HANDING_OVER RESIGN",
            "HANDING_OVER RESIGN LEAVING",
            "HANDING_OVER JEOPARDY LEAVING",
            "HANDING_OVER LOST LEAVING",
            "PASSING JEOPARDY",
            "PASSING JEOPARDY LEAVING",
            "PASSING RESIGN",
            "PASSING RESIGN LEAVING",
            "PASSING LATE LEAVING");

    private static final long MANY_SEEDS = 3_000;

    private ElectionSteps() {}

    /** The steps that this many seeds have to take. */
    public static List<String> expected(long seeds) {
        return seeds < MANY_SEEDS
                ? OFTEN
                : Stream.concat(OFTEN.stream(), SELDOM.stream()).toList();
    }

    /** The steps that are neither expected of many seeds, nor rare, nor impossible; must be empty. */
    public static List<String> unexplained() {
        List<String> unexplained = new ArrayList<>();
        for (String state : names("State")) {
            for (String event : names("Event")) {
                unexplained.add(state + " " + event);
                unexplained.add(state + " " + event + " LEAVING");
            }
        }
        unexplained.removeAll(expected(MANY_SEEDS));
        unexplained.removeAll(RARELY);
        unexplained.removeIf(step -> impossible(step).isPresent());
        return unexplained;
    }

    /** Why this step is impossible; empty if it is possible. */
    public static Optional<String> impossible(String step) {
        String[] words = step.split(" ", -1);
        return Optional.ofNullable(impossible(words[0], words[1], words.length > 2));
    }

    private static @Nullable String impossible(String state, String event, boolean leaving) {
        boolean atWork = !List.of("IDLE", "STANDING", "OVER").contains(state);
        if (event.equals("CLOSE")) {
            return leaving ? null : "who is closed leaves";
        }
        if (state.equals("OVER") != leaving && !(atWork && leaving)) {
            return leaving ? "who leaves without being at work is over" : "nothing is over before it was closed";
        }
        if (leaving && state.equals("LEADING")) {
            return "who leaves has told his work to stop";
        }
        return switch (event) {
            case "BEGIN" -> state.equals("IDLE") || state.equals("OVER") ? null : "it has begun";
            case "GRANTED" -> state.equals("STANDING") ? null : "no attempt is under way that is listened to";
            case "REFUSED" -> state.equals("STANDING") ? null : "no attempt is under way that is listened to";
            case "HELD_BACK", "VANISHED" -> state.equals("STANDING") ? null : "it is looked for while it stands";
            case "DOUBLED" -> state.equals("STANDING") ? null : "its id is compared while it stands";
            case "AGREED" ->
                state.equals("LEADING") ? null : "what is under way is called off when the work has to stop";
            case "PASSED" -> state.equals("PASSING") ? null : "nothing is being passed";
            case "LATE" -> atWork && !state.equals("LEADING") ? null : "no work has been told to stop";
            case "RETURNED" -> atWork && !state.equals("PASSING") ? null : "no work goes on";
            case "JEOPARDY", "LOST", "RESIGN" -> atWork ? null : "there is no term";
            default -> null;
        };
    }

    private static List<String> names(String kind) {
        try {
            Class<?> names = Class.forName("io.baton." + MACHINE + "$" + kind);
            return Stream.of(names.getEnumConstants()).map(Object::toString).toList();
        } catch (ClassNotFoundException moved) {
            throw new IllegalStateException(moved);
        }
    }

    /**
     * Returns how often each step was taken.
     *
     * @param simulations runs a seed of the given kind; has a constructor without parameters
     */
    public static Map<String, Long> count(
            Class<? extends ObjLongConsumer<String>> simulations, String kind, LongStream seeds) {
        return COUNT.of(simulations, kind, seeds);
    }
}
