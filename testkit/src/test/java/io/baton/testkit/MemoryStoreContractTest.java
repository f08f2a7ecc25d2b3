package io.baton.testkit;

import io.baton.testkit.tck.StoreContract;
import io.baton.testkit.tck.StoreUnderTest;

/** The contract of a store, in memory. */
class MemoryStoreContractTest extends StoreContract {

    @Override
    protected StoreUnderTest store() {
        return new MemoryUnderTest();
    }
}
