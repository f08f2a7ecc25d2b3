package io.baton.tck;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Moment;
import org.junit.jupiter.api.Assumptions;

/** Performs an act again and again on one store, with the contact cut at its first message, its second, and so on. */
final class RecipeCuts {

    /** A read and a write have four, and a write that is repeated some more. */
    private static final int MESSAGES = 6;

    /** What is performed. */
    interface Script {
        void perform() throws Exception;
    }

    private RecipeCuts() {}

    /** Cuts the contact of the clients that use the store's {@code uri()}; skips the test if there is no way to. */
    static void atEachMessage(StoreUnderTest store, Script script) throws Exception {
        Assumptions.assumeTrue(store.cuts().isPresent(), "the store under test cannot be cut off at a single message");
        Cuts cuts = store.cuts().orElseThrow();
        for (Direction direction : Direction.values()) {
            for (Moment moment : Moment.values()) {
                for (int n = 1; n <= MESSAGES; n++) {
                    Cuts.Cut cut = cuts.at(direction, moment, n);
                    try {
                        script.perform();
                    } finally {
                        cut.disarm();
                    }
                }
            }
        }
    }
}
