package io.baton.tck;

/** Read/write locks, semaphores and other locks, in memory. */
class MemoryLockFamilyTest extends LockFamilyContract {

    @Override
    protected StoreUnderTest store() {
        return new MemoryUnderTest();
    }
}
