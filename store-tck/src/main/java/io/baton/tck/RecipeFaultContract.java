package io.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * The contract of recipes when the contact is cut at any single message. Recipes know a store by its interface alone, so
 * a store that keeps the {@link FaultContract} should keep this, too.
 */
public abstract class RecipeFaultContract extends Contract {

    /** For subclasses. */
    protected RecipeFaultContract() {}

    @Nested
    class RecipeFaults extends RecipeFaultChapter {}
}
