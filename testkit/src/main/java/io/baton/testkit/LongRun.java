package io.baton.testkit;

/**
 * Chooses how many rounds a randomized test runs: a few in the daily build, all of them with {@code -Dbaton.long=true}.
 */
public final class LongRun {

    private LongRun() {}

    /** Whether {@code -Dbaton.long=true} is set. */
    public static boolean asked() {
        return Boolean.getBoolean("baton.long");
    }

    /** Returns {@code all} in the long run and {@code daily} otherwise. */
    public static int rounds(int daily, int all) {
        return asked() ? all : daily;
    }
}
