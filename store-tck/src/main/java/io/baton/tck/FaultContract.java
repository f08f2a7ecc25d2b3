package io.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * What a store and the recipes on it promise when the contact is cut at any single message. The store under test has to
 * have {@link StoreUnderTest#cuts} and a {@link StoreUnderTest#steadyUri}.
 */
public abstract class FaultContract extends Contract {

    /** For subclasses. */
    protected FaultContract() {}

    @Nested
    class Faults extends FaultChapter {}

    @Nested
    class ConfigurationFaults extends ConfigFaultChapter {}
}
