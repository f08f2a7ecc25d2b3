package io.baton.jdbc;

/** A database cannot serve as it is set up. The message says why, and what to do. */
final class UnfitDatabaseException extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean passing;

    /** Says why; {@code passing} if that may pass by itself. */
    UnfitDatabaseException(String why, boolean passing) {
        super(why);
        this.passing = passing;
    }

    boolean isPassing() {
        return passing;
    }
}
