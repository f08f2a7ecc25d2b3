package io.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * The contract of a store that fails over, by what its guarantees declare. The store under test must provide {@link
 * StoreUnderTest#failOver} and a {@link StoreUnderTest#steadyUri}.
 */
public abstract class FailOverContract extends Contract {

    /** For subclasses. */
    protected FailOverContract() {}

    @Nested
    class FailOvers extends FailOverChapter {}
}
