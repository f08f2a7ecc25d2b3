package io.baton.tck;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Base of the contracts: supplies a store to each test of their chapters. Tests may run concurrently, as each has its
 * own store and most of them wait.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class Contract {

    /** Creates a store for one test, with an empty namespace. */
    protected abstract StoreUnderTest store() throws Exception;
}
