package io.baton.internal.session;

import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.recipe.ClientLoop;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The parts of Baton that act on whether the store is in reach, with nothing of the user's among them. On the loop,
 * except {@link #add} and {@link #inContact}.
 */
public final class ContactListeners {

    private final ClientLoop loop;
    private final Set<Consumer<Boolean>> listeners = new LinkedHashSet<>();
    private volatile boolean inContact;

    /** Out of contact. */
    public ContactListeners(ClientLoop loop) {
        this.loop = loop;
    }

    /** Whether the store is in reach; a coordinator that is being closed keeps what was so before. Any thread. */
    public boolean inContact() {
        return inContact;
    }

    /** Registers, and notifies of what is so now. Any thread. */
    public Subscription add(Consumer<Boolean> listener) {
        loop.post(() -> {
            listeners.add(listener);
            listener.accept(inContact);
        });
        return () -> loop.post(() -> listeners.remove(listener));
    }

    /** The session has come to another state. */
    public void changed(SessionState now) {
        boolean before = inContact;
        if (now != SessionState.CLOSED) {
            inContact = now == SessionState.CONNECTED;
        }
        if (inContact != before) {
            List.copyOf(listeners).forEach(each -> each.accept(inContact));
        }
    }
}
