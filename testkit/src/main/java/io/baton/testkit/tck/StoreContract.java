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
public abstract class StoreContract extends ShortContract {

    /** For subclasses. */
    protected StoreContract() {}

    @Nested
    class Faults extends FaultChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }

    @Nested
    class ConfigurationFaults extends ConfigFaultChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return StoreContract.this.store();
        }
    }
}
