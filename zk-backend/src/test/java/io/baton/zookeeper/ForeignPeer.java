package io.baton.zookeeper;

/** A contender that does not use Baton, on the same lock. */
interface ForeignPeer extends AutoCloseable {

    /** Waits until it holds. */
    void acquire() throws Exception;

    /** Gives the lock back; returns when that is done. */
    void release() throws Exception;

    /** Its session, by which its entries can be told from others'. */
    long session() throws Exception;

    /** Ends it without a word to the server, as a crash would. */
    void kill() throws Exception;

    @Override
    void close() throws Exception;
}
