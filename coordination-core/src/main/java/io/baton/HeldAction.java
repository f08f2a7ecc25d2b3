package io.baton;

/**
 * An action that runs while a lock is held; see {@link DistributedLock#runIfAcquired}.
 *
 * @param <X> the exception that it may throw; inferred by the compiler
 */
@FunctionalInterface
public interface HeldAction<X extends Exception> {

    /**
     * Runs the action.
     *
     * @param hold the lock's hold, which is closed when this returns or throws
     */
    void run(Hold hold) throws X;
}
