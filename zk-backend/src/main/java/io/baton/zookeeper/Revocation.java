package io.baton.zookeeper;

import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Observes whether Curator's {@code Revoker} asks the owner of an entry to release: it writes a text into the entry. On
 * the loop.
 */
final class Revocation implements Watches.Waiter {

    private static final byte[] TEXT = "__REVOKE__".getBytes(StandardCharsets.UTF_8);

    private final ZkSession session;
    private final String path;
    private final Runnable asked;
    private boolean stopped;
    /** The last request that was reported. */
    private long reported;

    Revocation(ZkSession session, Peer own, Runnable asked) {
        this.session = session;
        this.path = session.address().path(own.line().path() + "/" + own.name());
        this.asked = asked;
    }

    /** Whether the programs of this line ask each other so. */
    static boolean isOf(Line line) {
        return line.dialect().equals(ZooKeeperDialects.CURATOR);
    }

    /** Whether this entry's value is a request to release. */
    static boolean isIn(ZkWire.Node entry) {
        return Arrays.equals(entry.data(), TEXT);
    }

    /** Returns what is written into the entry of the owner. */
    static byte[] text() {
        return TEXT.clone();
    }

    /** Begins, and returns what stops it. */
    Runnable begin() {
        session.watches().add(path, this);
        look();
        return () -> {
            stopped = true;
            session.watches().remove(path, this);
        };
    }

    private void look() {
        session.wire().read(path, (code, node) -> {
            if (stopped) {
                return;
            }
            if (code == Code.OK && node != null) {
                looked(node);
            } else if (Errors.passes(code)) {
                session.onReconnect(() -> !stopped, this::look);
            }
        });
    }

    /** A downgrade may have overwritten the request by now, so the place keeps it. */
    private void looked(ZkWire.Node entry) {
        LinePlace place = session.ownEntries().at(path);
        if (place == null) {
            return; // left
        }
        EntryDowngrade downgrade = place.entryDowngrade();
        downgrade.written(entry);
        if (downgrade.askedToReleaseAt() > reported) {
            reported = downgrade.askedToReleaseAt();
            asked.run();
        }
    }

    @Override
    public void written() {
        if (!stopped) {
            look();
        }
    }

    @Override
    public void deleted() {}

    /** The watch was not set, as in a break. */
    @Override
    public void unwatched() {
        session.onReconnect(() -> !stopped, () -> {
            session.watches().add(path, this);
            look();
        });
    }

    @Override
    public void unreadable() {}
}
