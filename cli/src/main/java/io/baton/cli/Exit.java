package io.baton.cli;

/** Exit statuses; those from 64 on are the ones of {@code sysexits.h} that scripts know, and 79 is ours. */
public final class Exit {

    /** All went well. */
    public static final int OK = 0;

    /** The demo ran, and a claim failed. */
    public static final int FAILED = 1;

    /** The doctor found a problem. */
    public static final int WRONG = 1;

    /** Nobody leads. */
    public static final int NOBODY = 1;

    /** No such value, change or canary. */
    public static final int ABSENT = 1;

    /** The command line makes no sense. */
    public static final int USAGE = 64;

    /** The store cannot be reached. */
    public static final int UNAVAILABLE = 69;

    /** A defect of Baton. */
    public static final int DEFECT = 70;

    /** A local server cannot be started. */
    public static final int CANNOT_SERVE = 71;

    /** The command's watchdog cannot be started, or was killed. */
    public static final int CANNOT_GUARD = 71;

    /** The lock was not acquired in time, or at all with {@code --try}; not elected in time; not handed over. */
    public static final int NOT_ACQUIRED = 75;

    /** Somebody else has written meanwhile; a canary was rejected, or is under way already. */
    public static final int CONFLICT = 75;

    /** The lock or the leadership was lost, or about to be, or handed over, while the command ran. */
    public static final int LOST = 79;

    /** The command was found, and cannot be started. */
    public static final int CANNOT_START = 126;

    /** The command was not found. */
    public static final int NOT_FOUND = 127;

    private Exit() {}

    /** What a shell reports for a process that this signal ended. */
    public static int signalled(int signal) {
        return 128 + signal;
    }
}
