package io.baton.tck.mutation;

import io.baton.testkit.sim.SimulationFailure;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The result of the search for a planted bug.
 *
 * @param bug a description of the bug
 * @param seed the seed that failed; -1 if none did
 * @param seeds the number of seeds run, including the one that failed
 * @param said the invariant that failed; empty if none did
 * @param accident any other exception that ended the search, which proves nothing; null if there was none
 */
public record Verdict(
        String bug,
        long seed,
        int seeds,
        String said,
        @Nullable Throwable accident) {

    private static final int WIDTH = 110;

    /** The result when none of this many seeds found the bug. */
    public static Verdict unnoticed(String bug, int seeds) {
        return new Verdict(bug, -1, seeds, "", null);
    }

    /** The result for an exception of a seed's run. Its class is a copy, so it is identified by name. */
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

    /** Whether an invariant found the bug. */
    public boolean found() {
        return !said.isEmpty();
    }

    /** Formats a line of the table. */
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
