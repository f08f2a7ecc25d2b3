package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hears at once that the session's own key has gone: an operator has ended the lease, or a leader that was stopped and went
 * on. Nothing rests on it; the next beat would find out, too, up to a quarter of the time to live later.
 */
final class OwnKeyWatch implements EtcdWire.Watcher {

    private static final int SOON = 6;

    private final EtcdSession session;
    private EtcdWire.@Nullable Watch watch;

    OwnKeyWatch(EtcdSession session) {
        this.session = session;
    }

    /** In contact, for the first time or again. */
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
