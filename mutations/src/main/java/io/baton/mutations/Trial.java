package io.baton.mutations;

import io.baton.tck.sim.SimulationKind;
import java.io.Serializable;
import java.util.BitSet;
import java.util.List;

/** What a {@link Worker} is asked for. */
sealed interface Trial extends Serializable {

    /** A class in which lines are looked for; they are told as their number and this much more. */
    record Probed(String type, byte[] bytes, int offset) implements Serializable {}

    /**
     * Seeds of this kind.
     *
     * @param type the class of a store that runs them
     */
    record Simulation(String type, SimulationKind kind) implements Serializable {

        @Override
        public String toString() {
            return kind + " by " + type;
        }
    }

    /** Which lines of these classes each unit test runs, in a JVM that has not loaded them. Answered with {@link Covered}, as a list. */
    record CoverTests(List<Probed> classes, List<String> tests) implements Trial {}

    /**
     * Which lines of these classes each seed runs, from the first on, in a JVM that has not loaded them.
     * Answered with {@link Covered}, as a list.
     */
    record CoverSeeds(List<Probed> classes, Simulation simulation, int from, int to) implements Trial {}

    /**
     * This class takes the place of the original: from now on, or when it is loaded. Answered with whether it could.
     *
     * @param whenLoaded for a JVM that has not loaded it yet
     */
    record Plant(String type, byte[] bytes, boolean whenLoaded) implements Trial {}

    /** Runs unit tests until one fails. Answered with {@link Outcome}. */
    record Tests(List<String> ids) implements Trial {}

    /** Runs seeds until one fails. Answered with {@link Outcome}. */
    record Seeds(Simulation simulation, int[] seeds) implements Trial {}

    /**
     * Something that runs lines.
     *
     * @param id of the test, for JUnit, or the number of the seed
     * @param name for people
     * @param nanos how long it took
     * @param passed whether it did, with nothing changed
     * @param lines those of the source that it ran
     */
    record Covered(String id, String name, long nanos, boolean passed, BitSet lines) implements Serializable {}

    /**
     * What a change led to.
     *
     * @param noticed whether it was noticed
     * @param by by what; empty if it was not
     */
    record Outcome(boolean noticed, String by) implements Serializable {}
}
