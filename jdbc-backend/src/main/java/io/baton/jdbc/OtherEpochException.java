package io.baton.jdbc;

/**
 * The session is not in the epoch of the step: it has ended, or another attach has come. Or the server is not the one that
 * the contact began with, as it has become a replica.
 */
final class OtherEpochException extends Exception {
    private static final long serialVersionUID = 1;
}
