package io.baton.tck.sim.lock;

import io.baton.Hold;
import io.baton.spi.Claim;
import java.util.concurrent.CompletableFuture;

/**
 * A request for a hold.
 *
 * @param hold completes with the hold
 * @param claim what the hold claims of its line
 */
record Asked(CompletableFuture<? extends Hold> hold, Claim claim) {

    /** Asks for the lock of this name. */
    static Habits.Asking of(String lock) {
        return (coordinator, chance) -> new Asked(coordinator.lock(lock).acquireAsync(), Claim.EXCLUSIVE);
    }
}
