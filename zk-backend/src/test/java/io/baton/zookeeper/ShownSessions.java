package io.baton.zookeeper;

import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.util.function.Consumer;

/** A store that shows each session that it opens. */
record ShownSessions(ZkStore store, Consumer<ZkSession> opened) implements Store {

    @Override
    public Guarantees guarantees() {
        return store.guarantees();
    }

    @Override
    public void check(Line line) {
        store.check(line);
    }

    @Override
    public Session open(SessionSpec spec, Loop loop, SessionListener to) {
        var session = (ZkSession) store.open(spec, loop, to);
        opened.accept(session);
        return session;
    }
}
