package io.baton.tck;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What the contracts share: the store that a subclass gives to their chapters, one per test. The tests may run beside
 * each other, as each has a store of its own and most of them wait.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class Contract {

    /** A store for one test, with an empty namespace. */
    protected abstract StoreUnderTest store() throws Exception;
}
