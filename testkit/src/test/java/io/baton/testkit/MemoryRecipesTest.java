package io.baton.testkit;

import io.baton.testkit.tck.RecipeContract;
import io.baton.testkit.tck.StoreUnderTest;

/** What recipes promise, in memory. */
class MemoryRecipesTest extends RecipeContract {

    @Override
    protected StoreUnderTest store() {
        return new MemoryUnderTest();
    }
}
