package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.RepeatedRefusal;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The downgrade of one exclusive entry to a shared claim. In a line of Curator's, whose programs write a request to
 * release into the same entry, a request is seen before it is overwritten, and a downgrade that one overwrites is
 * written again. On the loop.
 */
final class EntryDowngrade {

    /** The place whose entry this is. */
    interface Owner {

        /** Whether the entry is in the line and has not been released. */
        boolean isWanted();

        /** The entry is not in the line any more. */
        void missing();

        /** The server has answered what it may have refused before. */
        void answered();

        /** Sends a request again that was not answered, or that a busy server has refused. */
        void again(Code code, Runnable request);
    }

    private final ZkSession session;
    private final Line line;
    private final byte[] payload;
    private final Owner owner;
    private final RepeatedRefusal overwritten;

    private String path = "";
    private @Nullable CompletableFuture<Void> begun;
    /** Watches the entry for requests to release, which are written over the downgrade. */
    private Runnable unwatch = () -> {};
    /** The version of the entry that a downgrade overwrites. A request to release must be seen before. */
    private int version;
    /** The transaction of the last request to release, or 0. */
    private long askedToReleaseAt;
    /** Whether a downgrade that was overwritten is being sent again. */
    private boolean restoring;

    private int restoreRefusals;

    EntryDowngrade(ZkSession session, Line line, byte[] payload, Owner owner) {
        this.session = session;
        this.line = line;
        this.payload = payload;
        this.owner = owner;
        this.overwritten = session.repeatedRefusal(
                () -> "Cannot write again that the hold of " + line + " is downgraded, over a request to release");
    }

    /** Begins, unless it has begun. The place is clear. The result completes once the store has it. */
    CompletionStage<Void> begin(Peer own) {
        CompletableFuture<Void> known = begun;
        if (known == null) {
            known = new CompletableFuture<>();
            begun = known;
            path = session.address().path(line.path() + "/" + own.name());
            send(known);
            if (Revocation.isOf(line)) {
                unwatch = new Revocation(session, own, () -> {}).begin();
            }
        }
        return known;
    }

    boolean hasBegun() {
        return begun != null;
    }

    private void send(CompletableFuture<Void> done) {
        if (done.isDone()) {
            return;
        }
        int overwritten = Revocation.isOf(line) ? version : -1;
        var write = new ZkWire.ZkOp.Write(path, Downgrades.mark(payload), overwritten);
        session.wire().multi(List.of(write), (code, failedAt, zxid) -> {
            if (code == Code.OK) {
                owner.answered();
                done.complete(null);
            } else if (code == Code.NONODE) {
                owner.missing();
            } else if (code == Code.BADVERSION) {
                owner.answered();
                lookAndSend(done);
            } else if (Errors.passes(code)) {
                owner.again(code, () -> send(done));
            } else {
                owner.answered();
                done.completeExceptionally(refused(code));
            }
        });
    }

    private CoordinationException refused(Code code) {
        return Errors.of("cannot downgrade the hold of " + line, code, path);
    }

    /** The entry has been written: by a request to release, or by an attempt whose answer was lost. */
    private void lookAndSend(CompletableFuture<Void> done) {
        session.wire().read(path, (code, node) -> {
            if (code == Code.OK && node != null) {
                note(node);
                send(done);
            } else if (code == Code.NONODE) {
                owner.missing();
            } else if (Errors.passes(code)) {
                owner.again(code, () -> lookAndSend(done));
            } else {
                owner.answered();
                done.completeExceptionally(refused(code));
            }
        });
    }

    /** The entry was read. If a new request to release has taken the place of the downgrade, that is sent again. */
    void written(ZkWire.Node entry) {
        long before = askedToReleaseAt;
        note(entry);
        boolean done = begun != null && begun.isDone() && !begun.isCompletedExceptionally();
        if (done && askedToReleaseAt > before && !restoring) {
            restoring = true;
            restore();
        }
    }

    private void restore() {
        var restored = new CompletableFuture<Void>();
        restored.whenComplete((nothing, failed) -> restored(failed));
        send(restored);
    }

    /** Readers that come later wait for the downgrade, so it is repeated while the hold lasts. */
    private void restored(@Nullable Throwable failed) {
        if (failed == null) {
            restoring = false;
            restoreRefusals = 0;
            overwritten.resolved();
        } else if (owner.isWanted()) {
            restoreRefusals++;
            overwritten.refused(String.valueOf(failed.getMessage()));
            session.loop().after(Pauses.afterRefusals(restoreRefusals, session.loop()), () -> {
                if (owner.isWanted()) {
                    restore();
                }
            });
        }
    }

    private void note(ZkWire.Node entry) {
        version = entry.version();
        if (Revocation.isIn(entry)) {
            askedToReleaseAt = entry.mzxid();
        }
    }

    /** The transaction of the last request to release that was seen in the entry; 0 if there was none. */
    long askedToReleaseAt() {
        return askedToReleaseAt;
    }

    /** The entry was released or lost. */
    void stop() {
        if (begun != null) {
            begun.completeExceptionally(Downgrades.ended(line));
        }
        unwatch.run();
        overwritten.resolved();
    }
}
