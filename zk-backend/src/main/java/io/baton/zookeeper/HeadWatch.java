package io.baton.zookeeper;

import io.baton.spi.Entry;
import io.baton.spi.HeadListener;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Follows the first entry of a line. It reads each new first entry once.
 *
 * <p>An entry that goes before it can be read is skipped. Only one read is in flight at a time: its answer, and the
 * events before it, show which entry is first then.
 */
final class HeadWatch extends LineWatch {

    private final HeadListener to;

    private boolean looking;
    private boolean rewritten;
    private boolean begun;
    private @Nullable Entry told;

    HeadWatch(ZkSession session, Line line, HeadListener to) {
        super(session, line, "who is first");
        this.to = to;
    }

    @Override
    void listed() {
        looking = false;
        rewritten = true;
        readFirst();
    }

    @Override
    void moved() {
        readFirst();
    }

    @Override
    void written(String name) {
        rewritten |= told != null && told.peer().name().equals(name);
    }

    /** A rewritten first entry shows only by reading it again. */
    @Override
    void confirmed() {
        rewritten = true;
        readFirst();
    }

    /** Finds the first entry, and notifies the listener if it has changed. */
    private void readFirst() {
        if (looking || !isListed()) {
            return;
        }
        if (entries().isEmpty()) {
            notifyListener(null);
        } else if (entries().stream().allMatch(EntryName::numbered)) {
            EntryName first = entries().stream().min(EntryName.LINE_ORDER).orElseThrow();
            readEntry(first.name(), first.sequence());
        } else {
            readByCzxid();
        }
    }

    private void readEntry(String first, long order) {
        Entry before = told;
        if (before != null && before.peer().name().equals(first) && !rewritten) {
            return;
        }
        looking = true;
        rewritten = false;
        int now = contact();
        session().wire().read(path() + "/" + first, (code, node) -> {
            if (!counts(now)) {
                return;
            }
            looking = false;
            if (code == Code.OK && node != null) {
                succeeded();
                String owner = "0x" + Long.toHexString(node.owner());
                notifyListener(new Entry(new Peer(line(), first, order), node.czxid(), node.data(), owner));
                readFirst();
            } else if (code == Code.NONODE) {
                forget(first);
                readFirst();
            } else if (code != Code.CONNECTIONLOSS) {
                warn(code);
                retryLater(now);
            }
        });
    }

    /** Orders by czxid, where the sequence numbers cannot be used. */
    private void readByCzxid() {
        looking = true;
        int now = contact();
        session().czxidOrder().order(path(), List.copyOf(entries()), (failed, born, complete) -> {
            if (!counts(now)) {
                return;
            }
            looking = false;
            if (failed != null) {
                warn(failed);
                retryLater(now);
            } else if (born.isEmpty() || !stands(born.get(0).name())) {
                retryLater(now);
            } else {
                readEntry(born.get(0).name(), born.get(0).czxid());
            }
        });
    }

    private void notifyListener(@Nullable Entry first) {
        resolveTrouble();
        if (!(begun && same(told, first))) {
            begun = true;
            told = first;
            to.head(Optional.ofNullable(first));
        }
    }

    private static boolean same(@Nullable Entry one, @Nullable Entry other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return one.token() == other.token() && Arrays.equals(one.payload(), other.payload());
    }
}
