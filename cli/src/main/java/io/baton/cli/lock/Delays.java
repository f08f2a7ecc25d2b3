package io.baton.cli.lock;

import io.baton.CoordinationException;
import io.baton.DistributedLock;
import io.baton.IncompatibleOptionsException;
import io.baton.LockDelays;
import io.baton.cli.DurationOption;
import io.baton.cli.Failure;
import io.baton.cli.StoreCall;
import java.util.Optional;

/**
 * Explains to users of the command why a lock that may rest is not held.
 *
 * @param lock the lock, with the options of the command line
 */
record Delays(DistributedLock lock) {

    /** Runs the acquisition. It is bad usage if other options are stored with the lock. */
    <T> T explained(StoreCall<T> acquisition) throws InterruptedException {
        try {
            return acquisition.run();
        } catch (IncompatibleOptionsException refused) {
            throw Failure.usage(Failure.text(refused));
        }
    }

    /** Empty also if the store refuses: this only explains what is known already. */
    private Optional<LockDelays> delays() throws InterruptedException {
        try {
            return lock.delays();
        } catch (CoordinationException unknown) {
            return Optional.empty();
        }
    }

    /** Says that the lock stays blocked, for how long and why, or that it is taken. */
    String obstacle() throws InterruptedException {
        String name = "'" + lock.name() + "'";
        Optional<LockDelays> resting = delays().filter(delays -> !delays.rest().isZero());
        if (resting.isEmpty()) {
            return name + " is taken";
        }
        LockDelays delays = resting.get();
        boolean lost = delays.lossLeft().compareTo(delays.holdLeft()) > 0;
        String why = lost
                ? "its last holder did not release it, --delay-after-loss "
                        + DurationOption.format(delays.delayAfterLoss())
                : "--hold-at-least " + DurationOption.format(delays.holdAtLeast());
        return name + " stays blocked for another " + DurationOption.left(delays.rest()) + " (" + why + ")";
    }
}
