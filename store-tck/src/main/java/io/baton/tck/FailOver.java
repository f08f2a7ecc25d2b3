package io.baton.tck;

/**
 * Lets a store fail over, for {@link FailOverContract}: to another server, or to another run of the same one. Other tests
 * must not use the store meanwhile.
 */
public interface FailOver {

    /** From now on what is written does not reach the next server, as far as the store may lose it. */
    void fallBehind() throws Exception;

    /**
     * Ends the server that serves, without a warning, and lets the next one serve; returns once it does. Clients reach it
     * where they have reached the former, and that no more. {@link StoreUnderTest#breakContact} stays in effect. Should
     * take much less than {@link StoreUnderTest#ttl}: holds that are over by then show nothing.
     */
    void takeOver() throws Exception;

    /**
     * Whether the next server has the disk of the former one, and all that was written there but for what it has fallen
     * behind.
     */
    boolean keepsDisk();
}
