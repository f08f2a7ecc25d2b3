package io.baton;

import java.time.Instant;

/**
 * A problem at present. Baton goes on trying by itself.
 *
 * @param since when the problem was first seen, by this machine's wall clock
 * @param what the action that fails, as {@code "Cannot remove the entry /locks/orders/..."}
 * @param why the reason, mostly the store's message; may change while the problem lasts
 * @see Coordinator#trouble()
 */
public record Trouble(Instant since, String what, String why) {

    /** Returns what fails and why, for people. */
    @Override
    public String toString() {
        return what + ": " + why;
    }
}
