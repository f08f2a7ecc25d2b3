package io.baton.benchmarks.config;

/** Somebody who follows one space, connected. */
interface SpaceFollower extends AutoCloseable {

    /** Starts to follow; returns when all that was there can be asked for. Once. */
    void follow(Heard heard) throws Exception;

    @Override
    void close();
}
