package io.baton.examples.partitions;

import io.baton.Hold;

/** What is done with orders. */
@FunctionalInterface
interface OrderHandler {

    /**
     * Handles an order. It is called again with the same order, under another hold, if what came of it could not be
     * written. The thread is interrupted when the partition moves to another process.
     *
     * @param hold of the partition's lock; its token is for systems outside the store
     * @return what came of the order
     */
    String handle(PartitionOrder order, Hold hold) throws InterruptedException;
}
