package io.baton.testkit.tck;

import org.junit.jupiter.api.Nested;

/**
 * All chapters of the contract. A store's test is a subclass that says how to reach the store:
 *
 * <pre>{@code
 * class MyStoreContractTest extends StoreContract {
 *     @Override
 *     protected StoreUnderTest store() {
 *         return new MyStoreUnderTest();
 *     }
 * }
 * }</pre>
 */
public abstract class StoreContract {

    /** For subclasses. */
    protected StoreContract() {}

    /** A store for one test, with an empty namespace. */
    protected abstract StoreUnderTest store() throws Exception;

    @Nested
    class Sessions extends SessionChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }

    @Nested
    class Lines extends LineChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }

    @Nested
    class LinesInTrouble extends LineTroubleChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }

    @Nested
    class Locks extends LockChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }

    @Nested
    class LocksInTrouble extends LockTroubleChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }

    @Nested
    class Records extends RecordChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }

    @Nested
    class Observations extends ObservationChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }

    @Nested
    class Transactions extends TransactionChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }

    @Nested
    class Faults extends FaultChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }
}
