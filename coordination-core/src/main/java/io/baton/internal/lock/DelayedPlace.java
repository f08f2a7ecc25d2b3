package io.baton.internal.lock;

import io.baton.CoordinationException;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A place in the line of a lock that may rest between two holds. On the loop.
 *
 * <p>Whoever is first in line reads the record of the last hold, waits for as long as that demands, and writes its own
 * before it is granted. So the record always tells of the last hold, however it ended. A release removes the entry and
 * says so on record, in one transaction; if that fails, others may wait in vain, and never too little. The entry of a
 * hold that was released early stays until its time has passed.
 */
final class DelayedPlace implements Place {

    private static final int MOST_REFUSALS = 20;
    private static final Loop.Timer NONE = () -> {};

    private final DelayingContender contender;
    private final Session session;
    private final byte[] payload;
    private final PlaceListener to;

    private boolean waited;
    private boolean closed;
    private int refusals;
    private long firstSince;
    private long grantedSince;
    private Loop.Timer timer = NONE;
    private @Nullable Place inLine;
    private @Nullable Entry mine;
    private @Nullable DelayRecord granted;
    private @Nullable CompletableFuture<Void> left;

    DelayedPlace(DelayingContender contender, Session session, byte[] payload, PlaceListener to) {
        this.contender = contender;
        this.session = session;
        this.payload = payload;
        this.to = to;
    }

    DelayedPlace begin() {
        inLine = session.join(contender.lock().line(), payload, new InLine());
        // Who does not agree with the others is told at once, and not when its turn has come.
        Futures.onDone(contender.read(session), (last, failure) -> {
            if (failure != null && Futures.cause(failure).getClass() == CoordinationException.class) {
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
            if (!closed) {
                end();
                to.lost(why);
            }
        }
    }

    private void look() {
        if (closed) {
            return;
        }
        Futures.onDone(session.get(contender.key()), (item, failure) -> {
            if (closed) {
                return;
            }
            if (failure != null) {
                failed(failure);
            } else if (item.isEmpty()) {
                write(new Condition.Absent(contender.key()));
            } else {
                weigh(
                        DelayRecord.of(item.get()),
                        new Condition.Unchanged(contender.key(), item.get().revision()));
            }
        });
    }

    private void weigh(DelayRecord last, Condition unchanged) {
        if (mine != null && last.token() == mine.token()) {
            grant(last); // the answer to the own write was lost
            return;
        }
        try {
            last.check(contender.lock(), contender.options());
        } catch (CoordinationException differs) {
            fail(differs);
            return;
        }
        Duration rest = last.rest(since(firstSince), contender.loop().wallMillis());
        if (rest.isZero()) {
            write(unchanged);
        } else {
            waits();
            timer = contender.loop().after(rest, this::look);
        }
    }

    private void write(Condition lastIsKnown) {
        if (mine == null) {
            return;
        }
        var record = DelayRecord.granted(
                contender.options(), mine.token(), contender.loop().wallMillis());
        Futures.onDone(
                session.transact(
                        List.of(new Condition.Stands(mine.peer()), lastIsKnown), List.of(record.put(contender.key()))),
                (applied, failure) -> {
                    if (failure != null) {
                        failed(failure);
                    } else if (applied) {
                        grant(record);
                    } else {
                        pause(); // the record has changed, or the entry is gone, which the line tells
                    }
                });
    }

    private void grant(DelayRecord record) {
        if (!closed && granted == null && mine != null) {
            granted = record;
            grantedSince = contender.loop().nanoTime();
            to.clear(mine);
        }
    }

    /** A request failed. If the session has ended, the place is told. A store out of reach is asked again. */
    private void failed(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        boolean passes = cause instanceof StoreUnavailableException || cause instanceof OutcomeUnknownException;
        if (passes && refusals < MOST_REFUSALS) {
            pause();
        } else if (!(cause instanceof SessionLostException)) {
            fail(Futures.toCoordinationException(cause));
        }
    }

    private void pause() {
        // In contact, the store has refused it for now.
        refusals += session.link() == Link.CONNECTED ? 1 : 0;
        timer = contender.loop().after(Pauses.before(refusals, contender.loop().raw()), this::look);
    }

    private void waits() {
        if (!waited && !closed) {
            waited = true;
            to.waiting();
        }
    }

    private void fail(CoordinationException why) {
        if (!closed && granted == null) {
            var unused = leave();
            to.lost(why);
        }
    }

    private void end() {
        closed = true;
        timer.cancel();
    }

    // ---- the end

    @Override
    public CompletionStage<Void> leave() {
        return leave(false);
    }

    /**
     * Leaves the line; a hold that was released early keeps its entry until its time has passed, and this does not wait
     * for that.
     */
    CompletionStage<Void> leave(boolean released) {
        if (left != null) {
            return left;
        }
        end();
        if (!released || granted == null || mine == null) {
            left = leaveLine();
            return left;
        }
        DelayRecord record = granted;
        Entry entry = mine;
        Duration rest = contender.options().holdAtLeast().minus(since(grantedSince));
        if (rest.isNegative() || rest.isZero()) {
            left = remove(entry, record.asServed());
            return left;
        }
        var unused = session.transact(
                List.of(new Condition.Stands(entry.peer())),
                List.of(record.asReleased().put(contender.key())));
        contender.loop().after(rest, () -> remove(entry, record.asServed()));
        left = CompletableFuture.completedFuture(null);
        return left;
    }

    /** Removes the entry, and writes the record in the same transaction if that succeeds at once. */
    private CompletableFuture<Void> remove(Entry entry, DelayRecord record) {
        return session.transact(List.of(), List.of(record.put(contender.key())), List.of(entry.peer()))
                .toCompletableFuture()
                .handle((applied, failure) ->
                        applied != null && applied ? CompletableFuture.<Void>completedFuture(null) : leaveLine())
                .thenCompose(done -> done);
    }

    private CompletableFuture<Void> leaveLine() {
        return inLine == null
                ? CompletableFuture.completedFuture(null)
                : inLine.leave().toCompletableFuture();
    }

    @Override
    public CompletionStage<Void> downgrade() {
        throw new UnsupportedOperationException("the hold of a mutex cannot be downgraded");
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(contender.loop().nanoTime() - nanos);
    }
}
