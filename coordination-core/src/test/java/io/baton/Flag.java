package io.baton;

/** Something that has happened, or not yet. */
public final class Flag {

    private boolean raised;

    /** Not yet. */
    public Flag() {}

    /** It has happened. */
    public synchronized void raise() {
        raised = true;
        notifyAll();
    }

    /** Waits for it. */
    public synchronized void await() throws InterruptedException {
        while (!raised) {
            wait();
        }
    }
}
