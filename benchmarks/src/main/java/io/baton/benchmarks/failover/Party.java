package io.baton.benchmarks.failover;

/** One of those that are compared: several candidates in one election. */
interface Party extends AutoCloseable {

    /** What it is called. */
    String name();

    /** Whether it has such a thing. */
    boolean has(FailoverCase what);

    /** Waits until somebody leads. */
    void awaitLeader() throws Exception;

    /** Has this happen to the leader. */
    Trial begin(FailoverCase what) throws Exception;

    @Override
    void close();

    /** What has happened to a leader, and is not over yet. */
    interface Trial {

        /** Told when what {@link FailoverCase#SERVER_LOST} is about has been done. */
        void done();

        /** Waits until somebody else leads. */
        Measured await() throws Exception;

        /** Has everybody stand again, now or soon. */
        void restore() throws Exception;
    }
}
