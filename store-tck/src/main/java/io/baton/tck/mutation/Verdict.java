package io.baton.tck.mutation;

import io.baton.testkit.sim.SimulationFailure;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of a planted bug.
 *
 * @param bug what was done wrong
 * @param seed the one that failed; -1 if none has
 * @param seeds how many seeds were run, the one that failed included
 * @param said by what invariant it was found; empty if none spoke up
 * @param accident what else ended the search, which proves nothing; null if nothing did
 */
public record Verdict(
        String bug,
        long seed,
        int seeds,
        String said,
        @Nullable Throwable accident) {

    private static final int WIDTH = 110;

    /** None of so many seeds has found it. */
    public static Verdict unnoticed(String bug, int seeds) {
        return new Verdict(bug, -1, seeds, "", null);
    }

    /** What the run of a seed threw. Its class is a copy; so it is known by its name. */
    static Verdict thrown(String bug, long seed, int seeds, Throwable thrown) {
        Throwable cause = thrown.getCause();
        boolean simulated = thrown.getClass().getName().equals(SimulationFailure.class.getName());
        if (!simulated || cause == null) {
            return new Verdict(bug, seed, seeds, "", thrown);
        }
        Throwable root = cause;
        while (root instanceof AssertionError && root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof AssertionError
                ? new Verdict(bug, seed, seeds, String.valueOf(root.getMessage()), null)
                : new Verdict(bug, seed, seeds, "", root);
    }

    /** Whether an invariant has found it. */
    public boolean found() {
        return !said.isEmpty();
    }

    /** A line of a table. */
    String row(int widest) {
        String end = found() ? said : accident == null ? "NOT FOUND" : "ACCIDENT: " + accident;
        String line = end.lines().findFirst().orElse("");
        String cut = line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…";
        return String.format(Locale.ROOT, "%-" + widest + "s  %5d  %s", bug, seeds, cut);
    }

    @Override
    public String toString() {
        return row(1);
    }
}
