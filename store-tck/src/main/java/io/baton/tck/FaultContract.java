package io.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * The contract of a store when the contact is cut at any single message, and of configuration, which observes it all the
 * time. The store under test must provide {@link StoreUnderTest#cuts} and a {@link StoreUnderTest#steadyUri}.
 *
 * @see RecipeFaultContract
 */
public abstract class FaultContract extends Contract {

    /** For subclasses. */
    protected FaultContract() {}

    @Nested
    class Faults extends FaultChapter {}

    @Nested
    class ClaimFaults extends ClaimFaultChapter {}

    @Nested
    class MultiLockFaults extends MultiLockFaultChapter {}

    @Nested
    class CohortFaults extends CohortFaultChapter {}

    @Nested
    class DelayFaults extends DelayFaultChapter {}

    @Nested
    class RevocationFaults extends RevocationFaultChapter {}

    @Nested
    class ConfigurationFaults extends ConfigFaultChapter {}
}
