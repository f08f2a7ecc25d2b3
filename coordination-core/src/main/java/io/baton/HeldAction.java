package io.baton;

/**
 * What is done while a lock is held.
 *
 * @param <X> what it may throw; the compiler finds it out
 */
@FunctionalInterface
public interface HeldAction<X extends Exception> {

    /**
     * Does it.
     *
     * @param hold the lock's hold, which is closed when this returns or throws
     */
    void run(Hold hold) throws X;
}
