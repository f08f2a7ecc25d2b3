package io.baton.spi.kernel;

import io.baton.Position;
import io.baton.spi.TreeListener;
import io.baton.spi.kernel.StepWire.Changes;
import io.baton.spi.kernel.StepWire.Snapshot;
import io.baton.spi.kernel.StepWire.Topic;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows a tree of records: a snapshot, then changes, and a snapshot again where the changes are not known. */
final class KernelTree extends TopicFollower {

    private final String tree;
    private final TreeListener to;
    private @Nullable Position at;

    KernelTree(KernelSession session, String tree, TreeListener to) {
        super(session, new Topic.Tree(tree));
        this.tree = tree;
        this.to = to;
    }

    @Override
    void read() {
        if (at == null) {
            session.wire().snapshot(tree, reply(this::snapshot));
        } else {
            session.wire().changesSince(tree, at.revision(), reply(this::changes));
        }
    }

    @Override
    void forget() {
        at = null;
    }

    @Override
    void interrupted() {
        to.interrupted();
    }

    @Override
    void resumed() {
        to.resumed();
    }

    private void snapshot(Snapshot all) {
        at = all.at();
        to.snapshot(all.items(), all.at());
    }

    private void changes(Optional<Changes> since) {
        if (since.isEmpty() || at == null) {
            at = null;
            readAgain();
            return;
        }
        Changes changes = since.get();
        at = new Position(at.history(), Math.max(at.revision(), changes.revision()));
        if (!changes.put().isEmpty() || !changes.deleted().isEmpty()) {
            to.changed(changes.put(), changes.deleted(), changes.revision());
        }
    }
}
