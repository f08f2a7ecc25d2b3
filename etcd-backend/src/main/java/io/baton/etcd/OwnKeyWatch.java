package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.spi.support.RepeatedRefusal;
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
    private final RepeatedRefusal refused;
    private int attempts;
    private EtcdWire.@Nullable Watch watch;

    OwnKeyWatch(EtcdSession session) {
        this.session = session;
        this.refused = session.repeatedRefusal(() -> "Cannot watch the session's own key " + session.ownKey());
    }

    /** Handles the first contact, or a reconnect. */
    void connected() {
        attempts = 0;
        begin();
    }

    private void begin() {
        if (watch != null) {
            watch.close();
        }
        watch = session.wire().watch(Range.presence(session.ownKey()), 0, this);
    }

    @Override
    public void created(Header header) {
        attempts = 0;
        refused.resolved();
    }

    @Override
    public void events(List<Event> events, Header header) {
        if (session.isOpen()) {
            session.verify();
        }
    }

    @Override
    public void ended(Fault why) {
        watch = null;
        if (why.code() != EtcdWire.Code.LOST) {
            refused.refused("etcd says " + why.message() + "; it goes on trying");
        }
        session.retryLater(SOON + attempts++, () -> {
            if (session.inContact() && watch == null) {
                begin();
            }
        });
    }
}
