package io.baton.chaos.history;

/** Which holds a fault may cost, as it stands in its line. */
public final class Costs {

    /** Any. */
    public static final String ANY_HOLD = "any";

    /** None. */
    public static final String NO_HOLD = "none";

    private Costs() {}

    /** Those of this lock. */
    public static String holdsOf(String lock) {
        return "holds_of_" + lock;
    }
}
