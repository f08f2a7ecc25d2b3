package io.baton.cli;

/** Exit statuses. Those from 64 on are from {@code sysexits.h}, except 79, which is Baton's. */
public final class Exit {

    /** Success. */
    public static final int OK = 0;

    /** The demo ran, and a claim failed. */
    public static final int FAILED = 1;

    /** {@code baton doctor} found a problem. */
    public static final int WRONG = 1;

    /** There is no leader, or no holder. */
    public static final int NOBODY = 1;

    /** No such value, change, canary, semaphore or contender. */
    public static final int ABSENT = 1;

    /** The command line is invalid. */
    public static final int USAGE = 64;

    /** The store cannot be reached. */
    public static final int UNAVAILABLE = 69;

    /** A bug in Baton. */
    public static final int DEFECT = 70;

    /** A local server cannot be started. */
    public static final int CANNOT_SERVE = 71;

    /** The command's watchdog cannot be started, or was killed. */
    public static final int CANNOT_GUARD = 71;

    /** Output, or the status file, cannot be written. */
    public static final int CANNOT_WRITE = 74;

    /** The lock was not acquired in time, or was taken with {@code --try}; not elected in time; not handed over. */
    public static final int NOT_ACQUIRED = 75;

    /** Another client has written meanwhile; a canary was rejected, or one is under way already; another size. */
    public static final int CONFLICT = 75;

    /** A holder did not answer a request to release. */
    public static final int NO_ANSWER = 75;

    /** A holder refused to release. */
    public static final int REFUSED = 77;

    /** A value is secret, and {@code --reveal} is not given. */
    public static final int HIDDEN = 77;

    /** The lock or the leadership was lost, about to be lost, handed over or released on request, while the command ran. */
    public static final int LOST = 79;

    /** The command was found, but cannot be started. */
    public static final int CANNOT_START = 126;

    /** The command was not found. */
    public static final int NOT_FOUND = 127;

    private Exit() {}

    /** The status that a shell reports for a process ended by this signal. */
    public static int signalled(int signal) {
        return 128 + signal;
    }
}
