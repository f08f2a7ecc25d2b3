package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.zookeeper.wire.ZkWire;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Searches once for an entry whose create was not answered, by the id that was chosen before it. A quorum commit first
 * ensures that the create is no longer in flight; then a listing shows whether the entry exists. On the loop.
 */
final class EntrySearch implements LineListings.Taker {

    /** The place that does not know whether it has an entry. */
    interface Owner {

        /** Whether this is still unknown. */
        boolean isInDoubt();

        /** An entry with the id is in the line, and will be read. */
        void seen();

        /** The session has this entry. The listing was sent before the entry was read. */
        void found(ZkWire.Node entry, Listing listing);

        /** The session has no such entry, and the create will not be applied any more. */
        void absent();

        /** The search showed nothing: this answer came instead. */
        void searchFailed(Code code);

        /** The line is too long to be listed. */
        void searchRefused(CoordinationException why);
    }

    private final ZkSession session;
    private final String linePath;
    private final String prefix;
    private final Owner owner;

    private Code commit = Code.CONNECTIONLOSS;

    /** The entry's name begins with the prefix, which has the id. */
    EntrySearch(ZkSession session, String linePath, String prefix, Owner owner) {
        this.session = session;
        this.linePath = linePath;
        this.prefix = prefix;
        this.owner = owner;
    }

    void begin() {
        session.wire().multi(session.tree().rootCheck(), (code, at, zxid) -> commit = code);
        session.listings().list(linePath, this);
    }

    @Override
    public void listed(Code code, @Nullable Listing listing) {
        if (!owner.isInDoubt()) {
            return;
        }
        if (!answers(commit)) {
            owner.searchFailed(commit);
        } else if (!answers(code)) {
            owner.searchFailed(code);
        } else {
            look(listing);
        }
    }

    private static boolean answers(Code code) {
        return code == Code.OK || code == Code.NONODE;
    }

    @Override
    public void tooLong(CoordinationException why) {
        if (owner.isInDoubt()) {
            owner.searchRefused(why);
        }
    }

    private void look(@Nullable Listing listing) {
        if (listing != null) {
            for (String name : listing.names()) {
                if (name.startsWith(prefix)) {
                    read(name, listing);
                    return;
                }
            }
        }
        owner.absent();
    }

    private void read(String name, Listing listing) {
        owner.seen();
        session.wire().read(linePath + "/" + name, (code, node) -> {
            if (code == Code.OK && node != null && node.owner() == session.number()) {
                owner.found(node, listing);
            } else if (code == Code.OK || code == Code.NONODE) {
                owner.absent(); // another session's, or gone again
            } else {
                owner.searchFailed(code);
            }
        });
    }
}
