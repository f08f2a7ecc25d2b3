package io.baton.zookeeper;

import io.baton.Position;
import io.baton.spi.TreeListener;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.RepeatedRefusal;
import io.baton.zookeeper.wire.ZkWire.Change;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the records of a tree to an observer. It restarts with a snapshot after each reconnect, as a watch misses
 * changes while disconnected. It also restarts after an inconsistency.
 *
 * <p>A new session's server may be behind the previous session's. So a snapshot older than this client's position is
 * not accepted at once. It is accepted if a second one, read behind a quorum commit on the same connection, is older,
 * too.
 *
 * <p>The client library closes a connection on an answer of more than {@code jute.maxbuffer} bytes, with all other
 * requests in flight. How long a listing is shows only then. So after a break during a listing, it lists again only
 * some time after contact is back, and later with each such break. The session's holds are confirmed in between. The
 * same goes for a record, from the second break in a row at which the same one was the next answer.
 */
final class TreeObserver implements TreeFollowing.Listener {

    private static final Logger log = LoggerFactory.getLogger(TreeObserver.class);

    private final ZkSession session;
    private final String tree;
    private final TreeListener to;
    private final RepeatedRefusal refused;

    private boolean closed;
    private boolean torn;
    private boolean confirmed;
    private int attempts;
    /** The number of listings, or reads of the suspect, that ended in a connection loss since the last report. */
    private int breaks;
    /** The record that was the next answer at the last break; empty if that was none. */
    private String suspect = "";

    /** Each retry makes an earlier one superfluous. */
    private int retries;

    private @Nullable TreeFollowing following;

    TreeObserver(ZkSession session, String tree, TreeListener to) {
        this.session = session;
        this.tree = tree;
        this.to = to;
        this.refused = session.repeatedRefusal(() -> "Cannot follow the records in " + tree);
    }

    String root() {
        return session.tree().recordsRoot(tree);
    }

    /** Handles the first contact, or a reconnect. */
    void connected() {
        attempts = 0;
        confirmed = false;
        if (breaks == 0) {
            begin();
        } else {
            retryLater();
        }
    }

    /** Contact is lost. The watch misses what changes until it is back. */
    void disconnected() {
        to.interrupted();
    }

    void close() {
        closed = true;
        refused.resolved();
        stop();
    }

    /** Handles an event at the root or below it. */
    void changed(String path, Change change) {
        TreeFollowing now = following;
        if (now != null) {
            now.changed(path, change);
        }
    }

    /** Checks for changes that no event reported; as {@link BoundedRequests.Request}. */
    void audit(Runnable answered) {
        TreeFollowing now = following;
        if (now != null) {
            now.audit(answered);
        } else {
            answered.run();
        }
    }

    private void begin() {
        retries++;
        stop();
        TreeFollowing next = new TreeFollowing(session, tree, this);
        following = next;
        next.start();
    }

    private void stop() {
        TreeFollowing last = following;
        if (last != null) {
            last.stop();
        }
    }

    @Override
    public void updated(TreeFollowing from, boolean whole) {
        TreeView view = from.view();
        if (!whole && !torn) {
            torn = true;
            log.warn("More is written in {} than can be read: what is told may show parts of a transaction", tree);
        }
        if (from.hasDelivered() && !view.historyChanged()) {
            Position at = view.position();
            var put = view.put();
            var gone = view.deleted();
            from.delivered();
            session.positions().record(tree, at);
            to.changed(put, gone, at.revision());
        } else if (!from.hasDelivered() && !confirmed && session.positions().behind(tree, view.position())) {
            confirm(from);
        } else {
            attempts = 0;
            breaks = 0;
            suspect = "";
            refused.resolved();
            from.delivered();
            session.positions().record(tree, view.position());
            to.snapshot(view.all(), view.position());
        }
    }

    /** Once the server answers this commit, it has all that was committed before. */
    private void confirm(TreeFollowing doubted) {
        doubted.stop();
        session.wire().multi(session.tree().rootCheck(), (code, failedAt, zxid) -> {
            if (doubted == following && code == Code.THROTTLEDOP) {
                failed(code);
            } else if (doubted == following && code != Code.CONNECTIONLOSS) {
                confirmed = true;
                begin();
            }
        });
    }

    @Override
    public void failed(Code why) {
        // Observers wait, as without contact.
        if (why != Code.CONNECTIONLOSS) {
            String reason = why == Code.NOAUTH ? ": this client may not read all of them" : "";
            refused.refused("ZooKeeper says " + why + reason + "; it goes on trying");
        }
        retryLater();
    }

    @Override
    public void listingBroken(int children) {
        breaks++;
        refused.refused("contact broke while their " + children + " names were listed, " + breaks
                + " times in a row. If"
                + " these do not fit into the " + session.wire().maxAnswer() + " bytes of an answer that this client"
                + " takes, raise jute.maxbuffer on all its clients, or keep fewer records together; it goes on trying");
        retryLater();
    }

    /** A single break mostly has another cause: it is followed again at once. */
    @Override
    public void recordBroken(String child) {
        if (child.equals(suspect)) {
            breaks++;
            refused.refused("contact broke when " + root() + "/" + child + " was to be read next, " + (breaks + 1)
                    + " times in a row. If it does not fit into the "
                    + session.wire().maxAnswer()
                    + " bytes of an answer that this client takes, raise jute.maxbuffer on all its clients, or make it"
                    + " smaller; it goes on trying");
        }
        suspect = child;
        retryLater();
    }

    @Override
    public void eventMissed() {
        log.warn("The server has not told of a change in {}; all of it is read again", tree);
        retryLater();
    }

    /** Retries at once the first time, then after growing pauses: longer ones if listing breaks the contact. */
    private void retryLater() {
        to.interrupted();
        int own = ++retries;
        Runnable retry = () -> {
            if (own == retries && !closed && session.connected()) {
                begin();
            }
        };
        if (breaks == 0) {
            session.retryLater(attempts++, retry);
        } else {
            session.loop().after(Pauses.afterRefusals(breaks, session.loop()), retry);
        }
    }
}
