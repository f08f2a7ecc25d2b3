package io.baton.testkit;

/** How often what is a matter of luck is tried: some times every day, and all of them with {@code -Dbaton.long=true}. */
public final class LongRun {

    private LongRun() {}

    /** Whether this is the long run. */
    public static boolean asked() {
        return Boolean.getBoolean("baton.long");
    }

    /** So many rounds of a test. */
    public static int rounds(int daily, int all) {
        return asked() ? all : daily;
    }
}
