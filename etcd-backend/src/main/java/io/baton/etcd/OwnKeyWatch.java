package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches the session's own key, to notice its deletion at once. An operator may have revoked the lease, or a resumed
 * leader may have ended it. No guarantee depends on this watch: the next beat would also notice, up to a quarter of the
 * time to live later.
 */
final class OwnKeyWatch implements EtcdWire.Watcher {

    private static final int SOON = 6;

    private final EtcdSession session;
    private EtcdWire.@Nullable Watch watch;

    OwnKeyWatch(EtcdSession session) {
        this.session = session;
    }

    /** Handles the first contact, or a reconnect. */
    void connected() {
        if (watch != null) {
            watch.close();
        }
        watch = session.wire().watch(Range.presence(session.ownKey()), 0, this);
    }

    @Override
    public void created(Header header) {}

    @Override
    public void events(List<Event> events, Header header) {
        if (session.isOpen()) {
            session.verify();
        }
    }

    @Override
    public void ended(Fault why) {
        watch = null;
        session.retryLater(SOON, () -> {
            if (session.inContact() && watch == null) {
                connected();
            }
        });
    }
}
