package io.baton.zookeeper;

import static io.baton.zookeeper.TreeReads.ROOT;

import io.baton.zookeeper.wire.ZkWire;
import io.baton.zookeeper.wire.ZkWire.Change;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Follows a tree of records without a gap during one contact. It sets a recursive watch and lists once. From then on it
 * reads the records that events name.
 *
 * <p>It reports only when all these requests have been answered. Answers and events arrive in one order, so the records
 * read are the tree's state at the last answer. Each earlier change had its event before that answer, and was read
 * after the event. The same holds for the first snapshot. Under writes that leave no pause for long, it reports without
 * waiting.
 */
final class TreeFollowing implements TreeReads.Reader {

    /** After this many rounds of reads, it no longer waits for a pause. */
    private static final int MANY_ROUNDS = 20;

    /** The number of records checked in each audit. */
    private static final int SAMPLE = 64;

    /** Receives the results. */
    interface Listener {
        /** There are changes to report. The view may not be a state that the tree was in, unless {@code whole}. */
        void updated(TreeFollowing from, boolean whole);

        /** Following failed and has stopped. */
        void failed(Code why);

        /** Contact broke when the names of this many children were the next answer. Following has stopped. */
        void listingBroken(int children);

        /** Contact broke when this record was the next answer. Following has stopped. */
        void recordBroken(String child);

        /** A read showed a change without an event. Following has stopped. */
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

    TreeFollowing(ZkSession session, String tree, Listener to) {
        this.wire = session.wire();
        this.root = session.tree().recordsRoot(tree);
        this.names = new RecordNames(tree);
        this.to = to;
        this.view = new TreeView(names, session.positions().everExisted(tree));
        this.reads = new TreeReads(session, root, this);
    }

    void start() {
        wire.follow(root, (code, nothing) -> watched = code);
        reads.readChanged(ROOT); // before every record: a record's identity contains the root's version
        wire.children(root, this::listed);
    }

    /** Stops all callbacks. */
    void stop() {
        over = true;
        reads.stop();
    }

    /** The records read. */
    TreeView view() {
        return view;
    }

    /** Whether a first snapshot has been reported. */
    boolean hasDelivered() {
        return begun;
    }

    /** Marks the changes as reported. */
    void delivered() {
        begun = true;
        view.delivered();
    }

    /** Handles an event at the root or below it. */
    void changed(String path, Change change) {
        if (over) {
            return;
        }
        if (path.equals(root)) {
            reads.readChanged(ROOT);
        } else if (path.startsWith(root) && path.lastIndexOf('/') == root.length()) {
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
     * Sets the watch again, which a server may have lost. Reads the root, which shows creations and deletions, and a
     * sample of the records that moves on with each audit. {@code answered} runs with the first answer; the others
     * follow directly.
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
        } else if (code == Code.CONNECTIONLOSS) {
            // The answer to the read of the root has come.
            stop();
            to.listingBroken(view.children());
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
        if (code == Code.CONNECTIONLOSS && !child.equals(ROOT)) {
            stop();
            to.recordBroken(child);
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
