package io.baton.jdbc;

/** The session is not in the epoch of the step: it has ended, or another attach has come. */
final class OtherEpochException extends Exception {
    private static final long serialVersionUID = 1;
}
