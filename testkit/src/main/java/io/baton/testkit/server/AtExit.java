package io.baton.testkit.server;

/** What is done at the end of this JVM for a server that was not closed. */
public final class AtExit {

    private final Thread hook;

    /**
     * Does nothing yet.
     *
     * @param name of the thread, with {@code -exit} behind it
     * @param end ends the server; does nothing for one that has ended
     */
    public AtExit(String name, Runnable end) {
        hook = new Thread(end, name + "-exit");
    }

    /** From now on, the server is ended with this JVM. */
    public void add() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** The server has ended. */
    public void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exitingAlready) {
            // The hook runs as well, and finds nothing left to do.
            return;
        }
    }
}
