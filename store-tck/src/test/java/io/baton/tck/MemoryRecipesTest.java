package io.baton.tck;

/** What recipes promise, in memory. */
class MemoryRecipesTest extends RecipeContract {

    @Override
    protected StoreUnderTest store() {
        return new MemoryUnderTest();
    }
}
