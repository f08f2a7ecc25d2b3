package io.baton.tck;

import org.junit.jupiter.api.Nested;

/**
 * The contract of elections, active and standby nodes, live configuration and the recipes beside them on a store that satisfies
 * {@link StoreContract}. The recipes use only the store's interface. One of several ways to connect to the same store
 * is enough.
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

    @Nested
    class Counters extends CounterChapter {}

    @Nested
    class Striped extends StripedLocksChapter {}

    @Nested
    class Sequences extends SequenceChapter {}

    @Nested
    class Latches extends LatchChapter {}

    @Nested
    class NumberedSeats extends SeatsChapter {}

    @Nested
    class Groups extends GroupChapter {}

    @Nested
    class Barriers extends BarrierChapter {}

    @Nested
    class DoubleBarriers extends DoubleBarrierChapter {}

    @Nested
    class Askings extends AskingChapter {}
}
