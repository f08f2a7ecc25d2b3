package io.baton.cli.lock;

import io.baton.DistributedSemaphore;
import io.baton.IncompatibleOptionsException;
import io.baton.cli.Failure;
import io.baton.cli.StoreCall;

/**
 * Explains to users of the command why a semaphore refuses: they have declared another size than it has.
 *
 * @param semaphore the semaphore
 * @param declared the size of the command line
 */
record SizeRefusal(DistributedSemaphore semaphore, int declared) {

    /** Runs the acquisition, and says what to do if it is refused because of the size. */
    <T> T explained(StoreCall<T> acquisition) throws InterruptedException {
        try {
            return acquisition.run();
        } catch (IncompatibleOptionsException refused) {
            int size = semaphore.view().size();
            if (size == declared || size == 0) {
                throw refused;
            }
            String name = semaphore.name();
            throw Failure.usage("the size of the semaphore '" + name + "' is " + size + ", not " + declared
                    + ": give --of " + size + ", or change its size with 'baton semaphore resize " + name + " " + size
                    + " " + declared + "'");
        }
    }
}
