package io.baton.tck;

/** The contract of a store, in memory. */
class MemoryStoreContractTest extends StoreContract {

    @Override
    protected StoreUnderTest store() {
        return new MemoryUnderTest();
    }
}
