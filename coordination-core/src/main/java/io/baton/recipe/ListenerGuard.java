package io.baton.recipe;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a listener, and keeps what it throws from its caller: that is logged with the listener's name, and the other
 * listeners are called all the same. Any thread.
 *
 * @param listener the user's code
 * @param of what it is told of, for people
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

    /** The listener was called, and threw this. */
    void threw(Throwable thrown) {
        Throwable printable = UnprintableException.printable(thrown);
        log.warn("Listener {} threw; all others are told as well", this, printable);
    }

    /** As {@code com.acme.Shop (lambda) of lock 'orders' with token 7}. */
    @Override
    public String toString() {
        String type = listener.getClass().getName();
        int lambda = type.indexOf(LAMBDA);
        return (lambda < 0 ? type : type.substring(0, lambda) + " (lambda)") + " of " + of;
    }
}
