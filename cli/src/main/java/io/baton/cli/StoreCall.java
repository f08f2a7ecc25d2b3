package io.baton.cli;

/** A call that waits for the store. */
@FunctionalInterface
public interface StoreCall<T> {

    T run() throws InterruptedException;
}
