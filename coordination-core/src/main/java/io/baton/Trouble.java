package io.baton;

import java.time.Instant;

/**
 * Something that goes wrong at present, and that Baton goes on trying by itself.
 *
 * @param since when it was first seen, by this machine's wall clock
 * @param what what does not work, as {@code "Cannot remove the entry /locks/orders/..."}
 * @param why the reason as it is known, mostly in the store's own words; changes while the trouble goes on
 * @see Coordinator#trouble()
 */
public record Trouble(Instant since, String what, String why) {

    /** What and why, for people. */
    @Override
    public String toString() {
        return what + ": " + why;
    }
}
