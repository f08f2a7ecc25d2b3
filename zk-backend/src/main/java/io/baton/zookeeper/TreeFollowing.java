package io.baton.zookeeper;

import static io.baton.zookeeper.TreeReads.ROOT;

import io.baton.zookeeper.wire.ZkWire;
import io.baton.zookeeper.wire.ZkWire.Change;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Follows a tree of records without a gap, for as long as a contact lasts: a recursive watch, then one listing, and from
 * then on whatever an event tells of is read.
 *
 * <p>Nothing is told before all of that has been answered. As answers and events come in one order, what has been read
 * then is what the tree was at the last answer: whatever was changed up to then has had its event before that answer,
 * and has been read behind the event. That goes for the first snapshot, too: what was changed behind the listing has
 * had its event. Where so much is written that there is no rest for long, what has been read is told without it.
 */
final class TreeFollowing implements TreeReads.Reader {

    /** After so many rounds of reads without a rest there will not be one soon. */
    private static final int MANY_ROUNDS = 20;

    /** So many records are looked at in each audit. */
    private static final int SAMPLE = 64;

    /** Who is told. */
    interface Listener {
        /** There is something to tell. It need not be a state that the tree was in unless it is a whole. */
        void updated(TreeFollowing from, boolean whole);

        /** It cannot go on. */
        void failed(Code why);

        /** There is something new that no event has told of. */
        void eventMissed();
    }

    private final ZkWire wire;
    private final String root;
    private final RecordNames names;
    private final Listener to;
    private final TreeView view;
    private final TreeReads reads;
    private Code watched = Code.CONNECTIONLOSS;
    private boolean listed;
    private boolean begun;
    private boolean over;
    private String audited = ROOT;

    TreeFollowing(ZkWire wire, String root, RecordNames names, boolean wasThere, Listener to) {
        this.wire = wire;
        this.root = root;
        this.names = names;
        this.to = to;
        this.view = new TreeView(names, wasThere);
        this.reads = new TreeReads(wire, root, this);
    }

    void start() {
        wire.follow(root, (code, nothing) -> watched = code);
        reads.readChanged(ROOT); // ahead of every record, whose identity contains the root's version
        wire.children(root, this::listed);
    }

    /** Tells nothing more. */
    void stop() {
        over = true;
        reads.stop();
    }

    /** What has been read. */
    TreeView view() {
        return view;
    }

    /** Whether a first snapshot has been told. */
    boolean hasDelivered() {
        return begun;
    }

    /** What there is to tell has been told. */
    void delivered() {
        begun = true;
        view.delivered();
    }

    /** Something has happened to the root or below it. */
    void changed(String path, Change change) {
        if (over) {
            return;
        }
        if (path.equals(root)) {
            reads.readChanged(ROOT);
        } else if (path.lastIndexOf('/') == root.length()) {
            changedChild(path.substring(root.length() + 1), change);
        }
    }

    private void changedChild(String name, Change change) {
        if (change != Change.WRITTEN) {
            reads.readChanged(ROOT);
        }
        if (names.key(name).isPresent()) {
            reads.readChanged(name);
        } else if (change == Change.CREATED) {
            view.addForeign(name);
        } else if (change == Change.DELETED) {
            view.removeForeign(name);
        }
    }

    /**
     * Sets the watch again, which a server may have lost, and reads the root, which tells of creations and deletions, and
     * some of the records, others each time. {@code answered} is run with the first answer; the others are right behind it.
     */
    void audit(Runnable answered) {
        if (over || !begun) {
            answered.run();
            return;
        }
        wire.follow(root, (code, nothing) -> answered.run());
        reads.check(ROOT);
        List<String> sample = view.next(audited, SAMPLE);
        sample.forEach(reads::check);
        audited = sample.isEmpty() ? ROOT : sample.get(sample.size() - 1);
    }

    private void listed(Code code, @Nullable List<String> children) {
        if (over) {
            return;
        }
        if (watched != Code.OK) {
            fail(watched);
        } else if (code != Code.OK && code != Code.NONODE) {
            fail(code);
        } else {
            listed = true;
            view.clearForeign();
            (children == null ? List.<String>of() : children).stream().sorted().forEach(this::listed);
            answerTaken();
        }
    }

    private void listed(String name) {
        if (names.key(name).isPresent()) {
            reads.readChanged(name);
        } else {
            view.addForeign(name);
        }
    }

    @Override
    public void read(String child, Code code, ZkWire.@Nullable Node node, boolean announced) {
        if (over) {
            return;
        }
        if (code != Code.OK && code != Code.NONODE) {
            fail(code);
            return;
        }
        boolean isNew = child.equals(ROOT) ? view.root(node) : view.child(child, node);
        if (isNew && !announced) {
            eventMissed();
        }
    }

    @Override
    public void answerTaken() {
        if (over || !listed) {
            return;
        }
        boolean whole = reads.isIdle();
        if (whole && begun && !view.complete()) {
            eventMissed();
        } else if (whole || reads.rounds() > MANY_ROUNDS) {
            reads.resetRounds();
            if (!begun || view.hasChanges()) {
                to.updated(this, whole);
            }
        }
    }

    private void fail(Code why) {
        stop();
        to.failed(why);
    }

    private void eventMissed() {
        stop();
        to.eventMissed();
    }
}
