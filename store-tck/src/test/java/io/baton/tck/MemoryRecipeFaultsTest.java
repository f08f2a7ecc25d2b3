package io.baton.tck;

/** What holds for recipes when the contact is cut at any message, in memory. */
class MemoryRecipeFaultsTest extends RecipeFaultContract {

    @Override
    protected StoreUnderTest store() {
        return new MemoryUnderTest();
    }
}
