package io.baton.spi.kernel;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.StoreUnavailableException;
import io.baton.Telemetry.Request.Kind;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.LineDriver;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.PlaceLife;
import io.baton.spi.support.PlaceMachine.Phase;
import io.baton.spi.support.RepeatedRefusal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An own place in a line. Each join is sent under a name of its own, so that an answer or event means that join only. */
final class KernelPlace implements Place, LineDriver, Departures.Leaver {

    private final KernelSession session;
    private final Line line;
    private final Claim claim;
    private final byte[] payload;
    private final PlaceLife life;
    private final RepeatedRefusal downgrading;
    private String name = "";
    private long token;
    private boolean cleared;
    private boolean gone;
    private int busy;
    private boolean removalPlanned;
    private int downgrades;
    private @Nullable CompletableFuture<Void> downgraded;

    KernelPlace(KernelSession session, Line line, Claim claim, byte[] payload, PlaceListener to) {
        this.session = session;
        this.line = line;
        this.claim = claim;
        this.payload = payload;
        this.life = session.life(this, to, line);
        this.downgrading = session.repeatedRefusal("Cannot downgrade an entry in " + line);
    }

    PlaceLife life() {
        return life;
    }

    /** Returns the name of the latest join; empty before the first. */
    String name() {
        return name;
    }

    // ---- for the owner

    @Override
    public CompletionStage<Void> leave() {
        return life.leave();
    }

    @Override
    public CompletionStage<Void> downgrade() {
        Downgrades.check(line, claim, life.phase() == Phase.CLEAR && !life.isLeft());
        if (downgraded == null) {
            downgraded = new CompletableFuture<>();
            downgradeEntry(0);
        }
        return downgraded;
    }

    // ---- what the store says

    /** The join was answered, or the attach shows its entry. */
    private void joined(Standing standing) {
        token = standing.token();
        life.joined();
        if (gone) {
            removedByOther();
        } else {
            stands(standing);
        }
    }

    /** The entry stands. */
    void stands(Standing standing) {
        if (!life.stands()) {
            return;
        }
        if ((standing.clear() || cleared) && !session.isQuiet()) {
            life.first();
        } else {
            cleared |= standing.clear(); // stays so in this contact, as no entry comes before it any more
            life.behind();
        }
    }

    /** The store is not quiet any more: what it said meanwhile counts. */
    void quietIsOver() {
        if (cleared && life.stands()) {
            life.first();
        }
    }

    /** The store says that the entry has become clear; maybe before it has answered the join. */
    void cleared(long itsToken) {
        cleared = true;
        if (life.entered()) {
            stands(new Standing(line, name, itsToken, true, false));
        }
    }

    /** The entry was removed by another session or by hand; maybe before the join is answered. */
    void removedByOther() {
        gone = true;
        if (life.entered()) {
            life.gone(new LockLostException("the entry " + name + " in " + line + " was removed"));
        }
    }

    /** A contact has begun. The entry stands as given, or there is none and a join under this name has had no effect. */
    void settle(@Nullable Standing standing) {
        // What was said in a former contact may be lost with the steps that it was said of.
        cleared = false;
        gone = false;
        if (standing == null) {
            if (life.entered()) {
                removedByOther();
            } else if (life.phase() == Phase.DOUBT) {
                life.undone();
                life.start();
            }
        } else if (!life.entered()) {
            joined(standing);
        } else if (life.isLeft()) {
            sendRemoval();
        } else {
            stands(standing);
            if (downgraded != null && !standing.downgraded()) {
                downgradeEntry(0);
            } else if (downgraded != null) {
                downgraded(downgraded);
            }
        }
    }

    // ---- for the life

    @Override
    public void join() {
        if (!session.isAttached()) {
            session.whenAttached(life::mayJoin, life::start);
            return;
        }
        cleared = false;
        gone = false;
        name = session.nameFor(this);
        life.sent();
        session.enter(
                new Joining(line, name, claim, payload),
                this::joined,
                why -> {
                    life.undone();
                    life.gone(why);
                },
                life::unanswered);
    }

    @Override
    public void stop() {
        downgrading.resolved();
        if (downgraded != null) {
            downgraded.completeExceptionally(Downgrades.ended(line));
        }
    }

    @Override
    public Entry first() {
        return new Entry(new Peer(line, name, token, claim), token, payload, session.id());
    }

    @Override
    public void remove() {
        removalPlanned = false;
        sendRemoval();
    }

    @Override
    public void closed(Phase before) {
        session.forget(this);
    }

    @Override
    public CompletionStage<Void> closedWithSession() {
        session.forget(this);
        return session.ended();
    }

    // ---- the removal

    @Override
    public void removed() {
        life.removed();
    }

    @Override
    public void busy() {
        if (!removalPlanned) {
            removalPlanned = true;
            busy++;
            session.loop().after(Pauses.before(busy, session.loop()), this::removeAgain);
        }
    }

    @Override
    public void removalRefused(CoordinationException why) {
        if (!removalPlanned) {
            removalPlanned = true;
            life.removalRefused(String.valueOf(why.getMessage()), () -> why);
        }
    }

    /** What is planned goes on beside it: each contact begins with a removal, and adds no series of its own. */
    private void sendRemoval() {
        session.departures().add(departure(), this);
    }

    private void removeAgain() {
        if (life.entered()) {
            remove();
        }
    }

    // ---- the downgrade

    private void downgradeEntry(int refusals) {
        CompletableFuture<Void> done = downgraded;
        if (done == null || !session.isAttached() || !life.stands()) {
            return; // once there is contact, it is known whether it is needed
        }
        int own = ++downgrades;
        session.wire()
                .downgrade(
                        departure(),
                        session.calls()
                                .expect(
                                        Kind.TRANSACT,
                                        made -> downgraded(done, made),
                                        why -> downgradeRefused(done, why, refusals + 1, own),
                                        () -> {}));
    }

    /** Without effect if the entry has gone, or if this was done before. */
    private void downgraded(CompletableFuture<Void> done, boolean made) {
        if (made || done.isDone()) {
            downgraded(done);
        } else {
            removedByOther();
        }
    }

    private void downgraded(CompletableFuture<Void> done) {
        done.complete(null);
        downgrading.resolved();
    }

    /**
     * It is tried again if the store cannot make it now, as with a transaction of the program that keeps the entry. So is
     * one that was confirmed before, and undone by a fail-over: nobody waits for its end.
     */
    private void downgradeRefused(CompletableFuture<Void> done, CoordinationException why, int refusals, int own) {
        if (!done.isDone() && !(why instanceof StoreUnavailableException)) {
            downgraded = null;
            done.completeExceptionally(why);
        } else if (life.stands()) {
            downgrading.refused(String.valueOf(why.getMessage()));
            session.loop().after(Pauses.afterRefusals(refusals, session.loop()), () -> {
                if (own == downgrades) {
                    downgradeEntry(refusals);
                }
            });
        }
    }

    private Departure departure() {
        return new Departure(line, name, token, claim);
    }
}
