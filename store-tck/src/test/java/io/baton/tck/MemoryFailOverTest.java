package io.baton.tck;

/** What holds across a loss of all contact, in memory. */
class MemoryFailOverTest extends FailOverContract {

    @Override
    protected StoreUnderTest store() {
        return new MemoryUnderTest();
    }
}
