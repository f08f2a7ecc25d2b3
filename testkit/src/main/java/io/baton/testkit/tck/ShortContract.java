package io.baton.testkit.tck;

import org.junit.jupiter.api.Nested;

/**
 * All chapters of the contract but those that cut the contact at each single message, which take their time. For
 * another way to a store that passes the whole {@link StoreContract} by one way already.
 */
public abstract class ShortContract {

    /** For subclasses. */
    protected ShortContract() {}

    /** A store for one test, with an empty namespace. */
    protected abstract StoreUnderTest store() throws Exception;

    @Nested
    class Sessions extends SessionChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Lines extends LineChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class LinesInTrouble extends LineTroubleChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Heads extends HeadChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Elections extends ElectionChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class HandOvers extends HandOverChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Standbys extends StandbyChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Locks extends LockChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class LocksInTrouble extends LockTroubleChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Records extends RecordChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Observations extends ObservationChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Transactions extends TransactionChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Removals extends RemovalChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class Configurations extends ConfigChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }

    @Nested
    class ConfigurationStores extends ConfigStoreChapter {
        @Override
        StoreUnderTest open() throws Exception {
            return ShortContract.this.store();
        }
    }
}
