package io.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * The contract of read/write locks, semaphores, and of what else there is beside plain mutual exclusion. A store that
 * keeps the {@link StoreContract} and grants claims other than exclusive ones should keep this, too.
 */
public abstract class LockFamilyContract extends Contract {

    /** For subclasses. */
    protected LockFamilyContract() {}

    @Nested
    class ReadWriteLocks extends ReadWriteLockChapter {}

    @Nested
    class Semaphores extends SemaphoreChapter {}

    @Nested
    class GrantRaces extends GrantRaceChapter {}

    @Nested
    class MultiLocks extends MultiLockChapter {}

    @Nested
    class Cohorts extends CohortChapter {}

    @Nested
    class Delays extends DelayChapter {}

    @Nested
    class Revocations extends RevocationChapter {}
}
