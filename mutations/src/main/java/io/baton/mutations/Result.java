package io.baton.mutations;

/**
 * What became of a change.
 *
 * @param byTests what unit tests made of it, and which one
 * @param bySeeds what the simulation made of it, and which seed
 */
record Result(Mutant mutant, Verdict byTests, Verdict bySeeds) {

    /** How it went. */
    enum Status {
        KILLED,
        TIMEOUT,
        SURVIVED,
        NOT_COVERED,
        NOT_TRIED;

        boolean noticed() {
            return this == KILLED || this == TIMEOUT;
        }

        /** For people. */
        String text() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
        }
    }

    /** A status, and what led to it. */
    record Verdict(Status status, String by) {
        static final Verdict NOT_TRIED = new Verdict(Status.NOT_TRIED, "");

        boolean noticed() {
            return status.noticed();
        }
    }

    static Result of(Mutant mutant) {
        return new Result(mutant, Verdict.NOT_TRIED, Verdict.NOT_TRIED);
    }

    Result byTests(Verdict verdict) {
        return new Result(mutant, verdict, bySeeds);
    }

    Result bySeeds(Verdict verdict) {
        return new Result(mutant, byTests, verdict);
    }

    boolean noticed() {
        return byTests.noticed() || bySeeds.noticed();
    }
}
