package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.internal.ScriptedStore;
import io.baton.spi.SessionListener;
import java.util.function.Supplier;

/** Passes the session's life on to the acquisitions, as the client does. */
record SessionEvents(Supplier<Acquisitions> all, ScriptedStore store) implements SessionListener {

    @Override
    public void connected() {
        all.get().connected(store);
    }

    @Override
    public void suspended() {
        all.get().outOfContact();
    }

    @Override
    public void proven() {
        all.get().proven();
    }

    @Override
    public void lost(CoordinationException why) {
        all.get().lost();
    }
}
