package io.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * What elections, active and standby nodes and live configuration promise on a store that keeps the {@link
 * StoreContract}. They use nothing but that store's interface, so one of several ways to the same store is enough.
 */
public abstract class RecipeContract extends Contract {

    /** For subclasses. */
    protected RecipeContract() {}

    @Nested
    class Elections extends ElectionChapter {}

    @Nested
    class HandOvers extends HandOverChapter {}

    @Nested
    class Standbys extends StandbyChapter {}

    @Nested
    class Configurations extends ConfigChapter {}

    @Nested
    class ConfigurationStores extends ConfigStoreChapter {}
}
