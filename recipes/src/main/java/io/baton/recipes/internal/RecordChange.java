package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A change of one record: reads it, decides, and writes if the record has not changed since; again until the change is
 * settled, the store refuses it, or the request timeout is over. An object that has {@link LastWrite written last} need
 * not read: if it decides not to write, or the write is not applied, it reads all the same. On the loop.
 *
 * <p>A write whose outcome is unknown may also be applied after the next read. It does no harm then: either the record
 * has changed by something else and the write fails, or the decision is the same and one of the two writes fails.
 */
public final class RecordChange<R> {

    /** No more calls of one object wait for its change, so that a store that does not answer costs no memory. */
    static final int MOST_WAITING = 10_000;

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(2);
    private static final int MOST_DOUBLINGS = 6;

    /** The first pause between changes for somebody who waits. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** What to do with a record. */
    public interface Decision<R> {

        /** Decides on the record as it was read. Has to decide the same when called again with the same item. */
        Step<R> on(Optional<Item> now);

        /** The outcome of the write decided last is unknown: whether it was applied has to be seen in the record. */
        default void unknown() {}
    }

    /** What was decided. */
    public sealed interface Step<R> {

        /** There is nothing to write. */
        record Keep<R>(R result) implements Step<R> {}

        /**
         * Write this value; if it is applied, this is the result.
         *
         * @param only further conditions of the write
         * @param also changes of other records, all of which or none are applied with the write
         */
        record Put<R>(byte[] value, List<Guard> only, List<Op> also, R result) implements Step<R> {

            Put(byte[] value, R result) {
                this(value, List.of(), List.of(), result);
            }
        }
    }

    private final RecipeContext context;
    private final RecordKey key;
    private final Decision<R> decision;
    private final LastWrite last;
    private final CompletableFuture<R> outcome = new CompletableFuture<>();
    private final long end;
    private boolean inDoubt;
    private int pauses;

    private RecordChange(RecipeContext context, RecordKey key, Decision<R> decision, LastWrite last) {
        this.context = context;
        this.key = key;
        this.decision = decision;
        this.last = last;
        this.end = context.loop().nanoTime() + context.requestTimeout().toNanos();
    }

    /**
     * Begins a change of the record. The future completes on the loop. It fails with {@link OutcomeUnknownException} if
     * the change may have been applied, and with another failure if it was not.
     */
    public static <R> CompletableFuture<R> begin(RecipeContext context, RecordKey key, Decision<R> decision) {
        return begin(context, key, decision, new LastWrite(context));
    }

    /** As {@link #begin(RecipeContext, RecordKey, Decision)}, for an object that makes one change after another. */
    static <R> CompletableFuture<R> begin(RecipeContext context, RecordKey key, Decision<R> decision, LastWrite last) {
        var change = new RecordChange<>(context, key, decision, last);
        change.attempt();
        return change.outcome;
    }

    /**
     * Begins a change of the record for somebody who waits, and again for as long as the store is out of reach. While it
     * is in reach, and does not take the change, this is a trouble of the coordinator. Nothing is called any more once the
     * wait is over.
     */
    static <R> void beginFor(
            CompletableFuture<?> wait,
            RecipeContext context,
            RecordKey key,
            Decision<R> decision,
            Consumer<R> then,
            Consumer<Throwable> failed) {
        var refusals = new StoreRefusals(context, "Cannot read or change " + key);
        Futures.onDone(wait, (outcome, failure) -> refusals.over());
        beginFor(wait, context, key, decision, then, failed, refusals);
    }

    private static <R> void beginFor(
            CompletableFuture<?> wait,
            RecipeContext context,
            RecordKey key,
            Decision<R> decision,
            Consumer<R> then,
            Consumer<Throwable> failed,
            StoreRefusals refusals) {
        if (wait.isDone()) {
            return;
        }
        Futures.onDone(begin(context, key, decision), (result, failure) -> {
            if (wait.isDone()) {
                return;
            }
            if (failure == null) {
                refusals.over();
                then.accept(result);
            } else if (isOutOfContact(context, Futures.cause(failure))) {
                refusals.failed(failure);
                context.loop()
                        .after(
                                refusals.pause(PAUSE),
                                () -> beginFor(wait, context, key, decision, then, failed, refusals));
            } else {
                failed.accept(Futures.cause(failure));
            }
        });
    }

    private static boolean isOutOfContact(RecipeContext context, Throwable why) {
        return context.state() != SessionState.CLOSED && Futures.isTransient(why);
    }

    private void attempt() {
        Optional<Item> assumed = last.assumed();
        if (assumed.isPresent()) {
            decide(assumed, true);
        } else {
            read();
        }
    }

    private void read() {
        Futures.onDone(context.records().read(key), (now, failure) -> {
            if (failure == null) {
                last.read(now);
                decide(now, false);
            } else {
                failed(failure);
            }
        });
    }

    private void decide(Optional<Item> now, boolean assumed) {
        Step<R> step;
        try {
            step = decision.on(now);
        } catch (Throwable refused) {
            if (assumed) {
                read();
            } else {
                outcome.completeExceptionally(refused);
            }
            return;
        }
        if (step instanceof Step.Put<R> put) {
            write(now.map(Guard::unchanged).orElseGet(() -> Guard.absent(key)), put, assumed);
        } else if (assumed) {
            read();
        } else if (step instanceof Step.Keep<R> keep) {
            outcome.complete(keep.result());
        }
    }

    private void write(Guard guard, Step.Put<R> put, boolean assumed) {
        List<Guard> guards = new ArrayList<>(put.only());
        guards.add(guard);
        List<Op> ops = new ArrayList<>(put.also());
        ops.add(0, Op.put(key, put.value()));
        CompletableFuture<Optional<List<Item>>> written;
        try {
            written = context.records().writeAndTell(guards, ops);
        } catch (IllegalArgumentException refused) {
            outcome.completeExceptionally(refused);
            return;
        }
        Futures.onDone(written, (items, failure) -> {
            boolean applied = failure == null && items.isPresent();
            if (applied) {
                last.wrote(key, items.orElseThrow());
            } else {
                last.forget();
            }
            if (failure != null) {
                if (mayBeApplied(failure)) {
                    inDoubt = true;
                    decision.unknown();
                }
                failed(failure);
            } else if (applied) {
                outcome.complete(put.result());
            } else if (assumed) {
                read();
            } else {
                again(new StoreUnavailableException("others changed " + key
                        + " each time before this client could, for " + Texts.of(context.requestTimeout())));
            }
        });
    }

    private static boolean mayBeApplied(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        return !(cause instanceof StoreUnavailableException
                || cause instanceof IllegalArgumentException
                || StoreRefusals.isRefusal(cause));
    }

    private void failed(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        if (cause instanceof CoordinationException transitory && !StoreRefusals.isRefusal(cause)) {
            again(transitory);
        } else {
            giveUp(cause);
        }
    }

    /** Tries again after a pause, the longer the more often it was in vain. */
    private void again(CoordinationException why) {
        if (end - context.loop().nanoTime() <= 0 || context.state() == SessionState.CLOSED) {
            giveUp(why);
            return;
        }
        pauses++;
        Duration pause = context.loop().jittered(SHORTEST_PAUSE.multipliedBy(1L << Math.min(pauses, MOST_DOUBLINGS)));
        var waiting = new Pause(why);
        waiting.closing = context.beforeClosing(waiting::abandon);
        context.loop().after(pause, waiting::over);
    }

    private void giveUp(Throwable why) {
        outcome.completeExceptionally(reported(why));
    }

    /** The session that has ended is one of several: only with the coordinator's end is it the caller's business. */
    private Throwable reported(Throwable why) {
        if (inDoubt && !(why instanceof OutcomeUnknownException)) {
            return new OutcomeUnknownException("a change of " + key + " may have been applied: " + why.getMessage());
        }
        return why instanceof SessionLostException && context.state() != SessionState.CLOSED
                ? new StoreUnavailableException(key + " was not changed: " + why.getMessage())
                : why;
    }

    /** The loop drops its timers when the coordinator is closed. */
    private final class Pause {

        private final CoordinationException why;
        private Subscription closing = () -> {};
        private boolean ended;

        Pause(CoordinationException why) {
            this.why = why;
        }

        void over() {
            if (!ended) {
                ended = true;
                closing.close();
                attempt();
            }
        }

        CompletableFuture<Void> abandon() {
            if (!ended) {
                ended = true;
                giveUp(why);
            }
            return CompletableFuture.completedFuture(null);
        }
    }
}
