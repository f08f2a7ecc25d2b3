package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Link;
import io.baton.spi.Loop;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A place in the line of a lock that may rest between two holds. On the loop.
 *
 * <p>Whoever is first in line reads the record of the last hold, waits for as long as that demands, and writes its own
 * before it is granted. So the record always tells of the last hold, however it ended. A release removes the entry and
 * says so on record, in one transaction; if that never succeeds, others may wait in vain, and never too little. The
 * entry of a hold that was released early stays until its time has passed.
 */
final class DelayedPlace implements Place {

    /** After so many repetitions the entry is removed without a record. */
    private static final int MOST_REPETITIONS = 20;

    private static final Loop.Timer NONE = () -> {};

    private final DelayingContender contender;
    private final Session session;
    private final byte[] payload;
    private final PlaceListener to;

    private boolean waited;
    private boolean clear;
    private boolean closed;
    private boolean lost;
    private int refusals;
    private final RepeatedRefusal refused;
    private long firstSince;
    private Loop.Timer timer = NONE;
    private @Nullable Place inLine;
    private @Nullable Entry mine;
    private @Nullable DelayRecord record;
    /** The last attempt to write the own record; completes however it ends. */
    private @Nullable CompletableFuture<Boolean> writing;
    /** Whether an earlier attempt had no answer: it may have written the own record, or may still do so. */
    private boolean mayBeWritten;

    private @Nullable CompletableFuture<Boolean> left;
    private final CompletableFuture<Void> kept = new CompletableFuture<>();

    DelayedPlace(DelayingContender contender, Session session, byte[] payload, PlaceListener to) {
        this.contender = contender;
        this.session = session;
        this.payload = payload;
        this.to = to;
        this.refused = contender.refused();
    }

    DelayedPlace begin() {
        inLine = session.join(contender.lock().line(), payload, new InLine());
        // Who does not agree with the others is told at once, and not when its turn has come.
        Futures.onDone(contender.read(session), (last, failure) -> {
            if (failure == null) {
                contender.settleUnused(session, last);
            } else if (!Futures.isTransient(Futures.cause(failure))) {
                fail(Futures.toCoordinationException(failure));
            }
        });
        return this;
    }

    /** The place in the line. */
    private final class InLine implements PlaceListener {

        @Override
        public void waiting() {
            waits();
        }

        @Override
        public void clear(Entry first) {
            mine = first;
            firstSince = contender.loop().nanoTime();
            look();
        }

        @Override
        public void lost(CoordinationException why) {
            lost = true;
            stopWaiting();
            kept.complete(null);
            if (!closed) {
                closed = true;
                to.lost(why);
            }
        }
    }

    private void look() {
        if (closed || clear) {
            return;
        }
        Futures.onDone(contender.read(session), (read, failure) -> {
            if (closed || clear) {
                return;
            }
            if (failure != null) {
                failed(failure);
            } else {
                weigh(read);
            }
        });
    }

    private void weigh(DelayingContender.Read read) {
        DelayRecord last = read.last().orElse(null);
        boolean own = last != null && mine != null && last.token() == mine.token(); // the answer was lost: written anew
        Duration rest = last == null || own || contender.isUnused(last)
                ? Duration.ZERO
                : last.rest(since(firstSince), contender.loop().wallMillis());
        if (rest.isZero()) {
            write(read.unchanged());
            return;
        }
        waits();
        if (closed || mine == null) {
            return;
        }
        refusals = 0;
        refused.resolved();
        var unused = contender.noteGone(session, read, List.of(new Condition.Stands(mine.peer())));
        timer = contender.loop().after(rest, this::look);
    }

    private void write(Condition lastIsKnown) {
        if (mine == null) {
            return;
        }
        record = DelayRecord.granted(
                contender.options(), mine.token(), contender.loop().wallMillis());
        writing = session.transact(
                        List.of(new Condition.Stands(mine.peer()), lastIsKnown), List.of(record.put(contender.key())))
                .toCompletableFuture();
        Futures.onDone(writing, (applied, failure) -> {
            mayBeWritten |= isUnknown(failure);
            if (closed) {
                return;
            }
            if (failure != null) {
                failed(failure);
            } else if (applied) {
                grant();
            } else {
                pause(); // the record has changed, or the entry is gone, which the line tells
            }
        });
    }

    private void grant() {
        if (!clear && mine != null) {
            clear = true;
            refused.resolved();
            to.clear(mine);
        }
    }

    /** A request failed. If the session has ended, the place is told. A store that may answer later is asked again. */
    private void failed(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        if (mayPass(cause)) {
            if (session.link() == Link.CONNECTED) {
                refused.refused(String.valueOf(cause.getMessage()));
            }
            pause();
        } else if (!(cause instanceof SessionLostException)) {
            fail(Futures.toCoordinationException(cause));
        }
    }

    private static boolean mayPass(Throwable cause) {
        return cause instanceof StoreUnavailableException || cause instanceof OutcomeUnknownException;
    }

    private static boolean isUnknown(@Nullable Throwable failure) {
        return failure != null && Futures.cause(failure) instanceof OutcomeUnknownException;
    }

    /** The token of the own hold, if it may be on record. */
    OptionalLong recorded() {
        return record == null ? OptionalLong.empty() : OptionalLong.of(record.token());
    }

    private void pause() {
        // In contact, the store has refused it for now.
        refusals += session.link() == Link.CONNECTED ? 1 : 0;
        timer = contender.loop().after(Pauses.before(refusals, contender.loop().raw()), this::look);
    }

    private void stopWaiting() {
        timer.cancel();
        refused.resolved();
    }

    private void waits() {
        if (!waited && !closed) {
            waited = true;
            to.waiting();
        }
    }

    private void fail(CoordinationException why) {
        if (!closed && !clear) {
            var unused = leave();
            to.lost(why);
        }
    }

    // ---- the end

    @Override
    public CompletionStage<Void> leave() {
        return leave(Entrant.Ending.UNUSED, 0).thenAccept(gone -> {});
    }

    /**
     * Leaves the line. A hold that was released early keeps its entry until its time has passed, and this does not wait
     * for that.
     *
     * @return whether the entry is gone
     */
    CompletableFuture<Boolean> leave(Entrant.Ending ending, long heldSince) {
        if (left == null) {
            closed = true;
            stopWaiting();
            left = left(ending, heldSince);
        }
        return left;
    }

    /** Completes when the entry of a hold that was released early has gone, or goes with its session. */
    CompletableFuture<Void> kept() {
        return kept;
    }

    private CompletableFuture<Boolean> left(Entrant.Ending ending, long heldSince) {
        DelayRecord own = record;
        Entry entry = mine;
        if (own == null || entry == null || writing == null || lost || ending == Entrant.Ending.LOST) {
            return leaveLine();
        }
        if (ending == Entrant.Ending.UNUSED) {
            contender.noteUnused(own.token()); // the session may end, or the store refuse it, before that is on record
            return writing.handle((applied, failure) -> unused(entry, own, applied, failure))
                    .thenCompose(done -> done);
        }
        Duration rest = contender.options().holdAtLeast().minus(since(heldSince));
        if (rest.isNegative() || rest.isZero()) {
            return remove(entry, own.asServed(), 0);
        }
        timer = contender
                .loop()
                .after(
                        rest,
                        () -> Futures.onDone(remove(entry, own.asServed(), 0), (gone, failure) -> kept.complete(null)));
        if (contender.options().delayAfterLoss().isZero()) {
            return CompletableFuture.completedFuture(false);
        }
        return session.transact(
                        List.of(new Condition.Stands(entry.peer())),
                        List.of(own.asReleased().put(contender.key())))
                .toCompletableFuture()
                .handle((applied, failure) -> false);
    }

    /** What is on record of a hold that nobody had must keep nobody out; what is on record of another stays. */
    private CompletableFuture<Boolean> unused(
            Entry entry, DelayRecord own, @Nullable Boolean applied, @Nullable Throwable failure) {
        if (failure == null && applied != null && applied) {
            return remove(entry, own.asServed(), 0);
        }
        return mayBeWritten || isUnknown(failure) ? unusedInDoubt(entry, own, 0) : leaveLine();
    }

    /** One transaction finds out, so that the write in doubt cannot come after it. */
    private CompletableFuture<Boolean> unusedInDoubt(Entry entry, DelayRecord own, int attempt) {
        return contender
                .read(session)
                .thenCompose(read -> {
                    List<Op> ops = read.last()
                            .map(last -> last.token() == own.token() ? last.asServed() : last)
                            .map(last -> List.of(last.put(contender.key())))
                            .orElse(List.of());
                    return session.transact(List.of(read.unchanged()), ops, List.of(entry.peer()));
                })
                .toCompletableFuture()
                .handle((applied, failure) -> {
                    if (failure == null && applied) {
                        return CompletableFuture.completedFuture(true);
                    }
                    boolean again = failure == null || mayPass(Futures.cause(failure));
                    return again && !lost && attempt < MOST_REPETITIONS
                            ? later(attempt, () -> unusedInDoubt(entry, own, attempt + 1))
                            : leaveLine();
                })
                .thenCompose(done -> done);
    }

    private CompletableFuture<Boolean> later(int attempt, Supplier<CompletableFuture<Boolean>> task) {
        var later = new CompletableFuture<Boolean>();
        contender
                .loop()
                .after(
                        Pauses.before(attempt, contender.loop().raw()),
                        () -> Futures.onDone(task.get(), (gone, failure) -> {
                            if (failure == null) {
                                later.complete(gone);
                            } else {
                                later.completeExceptionally(Futures.cause(failure));
                            }
                        }));
        return later;
    }

    /** Removes the entry and writes the record, in one transaction. If that cannot be, the entry is removed alone. */
    private CompletableFuture<Boolean> remove(Entry entry, DelayRecord own, int attempt) {
        return session.transact(List.of(), List.of(own.put(contender.key())), List.of(entry.peer()))
                .toCompletableFuture()
                .handle((applied, failure) -> {
                    if (failure == null && applied) {
                        return CompletableFuture.completedFuture(true);
                    }
                    if (failure == null || lost || !mayPass(Futures.cause(failure)) || attempt == MOST_REPETITIONS) {
                        return leaveLine();
                    }
                    return later(attempt, () -> remove(entry, own, attempt + 1));
                })
                .thenCompose(done -> done);
    }

    private CompletableFuture<Boolean> leaveLine() {
        return inLine == null
                ? CompletableFuture.completedFuture(true)
                : inLine.leave().toCompletableFuture().thenApply(done -> true);
    }

    @Override
    public CompletionStage<Void> downgrade() {
        throw new UnsupportedOperationException("the hold of a mutex cannot be downgraded");
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(contender.loop().nanoTime() - nanos);
    }
}
