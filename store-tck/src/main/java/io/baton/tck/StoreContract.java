package io.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * The contract of a store and of mutual exclusion on it. A store's test is a subclass that supplies the store under
 * test:
 *
 * <pre>{@code
 * class MyStoreContractTest extends StoreContract {
 *     @Override
 *     protected StoreUnderTest store() {
 *         return new MyStoreUnderTest();
 *     }
 * }
 * }</pre>
 *
 * <p>{@link LockFamilyContract}, {@link RecipeContract}, {@link FaultContract} and {@link FailOverContract} are used in
 * the same way.
 */
public abstract class StoreContract extends Contract {

    /** For subclasses. */
    protected StoreContract() {}

    @Nested
    class Sessions extends SessionChapter {}

    @Nested
    class Lines extends LineChapter {}

    @Nested
    class LinesInTrouble extends LineTroubleChapter {}

    @Nested
    class Heads extends HeadChapter {}

    @Nested
    class Locks extends LockChapter {}

    @Nested
    class LocksInTrouble extends LockTroubleChapter {}

    @Nested
    class Records extends RecordChapter {}

    @Nested
    class Observations extends ObservationChapter {}

    @Nested
    class Transactions extends TransactionChapter {}

    @Nested
    class Removals extends RemovalChapter {}
}
