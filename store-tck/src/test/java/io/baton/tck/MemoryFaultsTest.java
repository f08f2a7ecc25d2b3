package io.baton.tck;

/** What holds when the contact is cut at any message, in memory. */
class MemoryFaultsTest extends FaultContract {

    @Override
    protected StoreUnderTest store() {
        return new MemoryUnderTest();
    }
}
