package io.baton.zookeeper.wire;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes a closed client's entries from a shared session that continues. It sends a quorum commit first, so that no
 * creation can still be in flight. Then it lists each line and deletes the entries that begin with one of the client's
 * ids. After a disconnect it starts again on the next connection. It runs on the handle's event thread, because the
 * loop may have ended.
 */
final class SharedSessionCleanup {

    private static final Logger log = LoggerFactory.getLogger(SharedSessionCleanup.class);

    private static final long PAUSE_MILLIS = 500;

    private final ZooKeeper zk;
    private final String root;
    private final TreeSet<String> beginnings;
    private final Consumer<Boolean> done;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger attempts = new AtomicInteger();

    /** Sends nothing before {@link #attempt}. {@code done} is called once: true if all entries are certainly gone. */
    SharedSessionCleanup(ZooKeeper zk, String root, Collection<String> beginnings, Consumer<Boolean> done) {
        this.zk = zk;
        this.root = root;
        this.beginnings = new TreeSet<>(beginnings);
        this.done = done;
    }

    void attempt() {
        if (!zk.getState().isAlive()) {
            end(false);
        } else if (beginnings.isEmpty()) {
            end(true);
        } else {
            commit(attempts.incrementAndGet());
        }
    }

    /** Handles a change of the handle's state. */
    void moved(KeeperState state) {
        switch (state) {
            case SyncConnected -> attempt();
            case Expired -> end(true);
            case Closed, AuthFailed -> end(false);
            default -> {}
        }
    }

    private void commit(int attempt) {
        AsyncCallback.MultiCallback committed = (rc, path, ctx, results) -> {
            Code code = Code.get(rc);
            // NONODE is also the answer of a quorum: without the chroot there are no entries.
            if (code == Code.OK || code == Code.NONODE) {
                list(attempt);
            } else {
                failed(code, root, attempt);
            }
        };
        zk.multi(List.of(Op.check(root, -1)), committed, null);
    }

    private void list(int attempt) {
        var lines = new HashSet<String>();
        beginnings.forEach(entry -> lines.add(entry.substring(0, entry.lastIndexOf('/'))));
        var open = new AtomicInteger(lines.size());
        for (String line : lines) {
            AsyncCallback.ChildrenCallback listed = (rc, path, ctx, names) -> {
                Code code = Code.get(rc);
                if (code == Code.OK || code == Code.NONODE) {
                    delete(attempt, ours(line, names == null ? List.of() : names), open);
                } else {
                    failed(code, line, attempt);
                }
            };
            zk.getChildren(line, false, listed, null);
        }
    }

    /** {@code open} counts the lines that are not finished. */
    private void delete(int attempt, List<String> entries, AtomicInteger open) {
        var left = new AtomicInteger(entries.size());
        if (entries.isEmpty()) {
            lineDone(attempt, open);
        }
        for (String entry : entries) {
            AsyncCallback.VoidCallback deleted = (rc, path, ctx) -> {
                Code code = Code.get(rc);
                if (code != Code.OK && code != Code.NONODE) {
                    failed(code, entry, attempt);
                } else if (left.decrementAndGet() == 0) {
                    lineDone(attempt, open);
                }
            };
            zk.delete(entry, -1, deleted, null);
        }
    }

    private List<String> ours(String line, List<String> names) {
        var ours = new ArrayList<String>();
        for (String name : names) {
            String path = line + "/" + name;
            String beginning = beginnings.floor(path);
            if (beginning != null && path.startsWith(beginning)) {
                ours.add(path);
            }
        }
        return ours;
    }

    private void lineDone(int attempt, AtomicInteger open) {
        if (open.decrementAndGet() == 0 && attempt == attempts.get()) {
            end(true);
        }
    }

    /**
     * After a connection loss the next connection starts again. A throttled request is retried after a pause. Any other
     * error is final.
     */
    private void failed(Code code, String path, int attempt) {
        if (code == Code.THROTTLEDOP) {
            if (attempts.compareAndSet(attempt, attempt + 1)) {
                CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(this::attempt);
            }
            return;
        }
        boolean broken = code == Code.CONNECTIONLOSS || code == Code.OPERATIONTIMEOUT || code == Code.SESSIONMOVED;
        if (!broken && code != Code.SESSIONEXPIRED) {
            log.warn("Cannot remove what is left of a closed client at {}: {}", path, code);
            end(false);
        }
    }

    private void end(boolean gone) {
        if (over.compareAndSet(false, true)) {
            done.accept(gone);
        }
    }
}
