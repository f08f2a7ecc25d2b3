package io.baton.internal.session;

import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.recipe.ClientLoop;
import io.baton.spi.support.RunAll;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Listeners of recipes to whether the store is in reach. On the loop, except {@link #add} and {@link #inContact}.
 */
public final class ContactListeners {

    private final ClientLoop loop;
    private final Set<Consumer<Boolean>> listeners = new LinkedHashSet<>();
    private volatile boolean inContact;

    /** Starts out of contact. */
    public ContactListeners(ClientLoop loop) {
        this.loop = loop;
    }

    /** Returns whether the store is in reach; a closing coordinator keeps the last value. Any thread. */
    public boolean inContact() {
        return inContact;
    }

    /** Adds a listener, and notifies it of the present state. Any thread. */
    public Subscription add(Consumer<Boolean> listener) {
        loop.post(() -> {
            listeners.add(listener);
            listener.accept(inContact);
        });
        return () -> loop.post(() -> listeners.remove(listener));
    }

    /** The session's state has changed. All listeners are notified, even after one throws. */
    public void changed(SessionState now) {
        boolean before = inContact;
        if (now != SessionState.CLOSED) {
            inContact = now == SessionState.CONNECTED;
        }
        if (inContact != before) {
            RunAll.each(listeners, each -> each.accept(inContact));
        }
    }
}
