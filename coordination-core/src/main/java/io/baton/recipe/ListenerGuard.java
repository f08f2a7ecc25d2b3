package io.baton.recipe;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a listener and logs what it throws, with the listener's name. The listener stays registered, and others are
 * called all the same. Any thread.
 *
 * @param listener the user's code
 * @param of the source of its events, for people
 */
public record ListenerGuard(Object listener, Object of) {

    private static final Logger log = LoggerFactory.getLogger(ListenerGuard.class);
    private static final String LAMBDA = "$$Lambda";

    /** Calls the listener. */
    public void run(Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }

    /** Logs what the listener threw. */
    void threw(Throwable thrown) {
        log.warn("Listener {} threw; it stays registered", this, thrown);
    }

    /** Returns the listener's name, as {@code com.acme.Shop (lambda) of lock 'orders' with token 7}. */
    @Override
    public String toString() {
        String type = listener.getClass().getName();
        int lambda = type.indexOf(LAMBDA);
        return (lambda < 0 ? type : type.substring(0, lambda) + " (lambda)") + " of " + of;
    }
}
