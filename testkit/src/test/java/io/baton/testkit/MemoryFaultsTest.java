package io.baton.testkit;

import io.baton.testkit.tck.FaultContract;
import io.baton.testkit.tck.StoreUnderTest;

/** What holds when the contact is cut at any message, in memory. */
class MemoryFaultsTest extends FaultContract {

    @Override
    protected StoreUnderTest store() {
        return new MemoryUnderTest();
    }
}
