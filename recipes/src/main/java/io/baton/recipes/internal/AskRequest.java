package io.baton.recipes.internal;

import io.baton.OutcomeUnknownException;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Texts;
import io.baton.recipes.StandingQuestion.State;
import io.baton.recipes.internal.AskingChanges.Asked;
import io.baton.recipes.internal.RecordChange.Decision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One call that asks: it puts the question on record, waits until the record says that it is answered, and reads the
 * answer. If there are too many questions, it waits for one of them to be answered first. When its time is over, or it
 * is given up, it withdraws the question. On the loop, except where a method says otherwise.
 */
public final class AskRequest {

    /** The longest time for which a call that is over is remembered by a timer. */
    private static final Duration TICK = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(250);

    private static final long NOT_ON_RECORD = 0;

    private final RecipeContext context;
    private final AskingChanges changes;
    private final String id;
    private final Duration timeout;
    private final String call;
    private final Decision<Asked> asking;
    private final long end;
    private final StoreRefusals refusals;
    private final PausedStep paused;
    private final CompletableFuture<AskOutcome> outcome = new CompletableFuture<>();
    private Subscription following = () -> {};
    private Subscription closing = () -> {};
    private long number = NOT_ON_RECORD;
    private Optional<AskingRecord> seen = Optional.empty();
    private boolean seenSincePut;
    private boolean inDoubt;
    private boolean busy;
    private boolean over;

    private AskRequest(RecipeContext context, AskingChanges changes, String id, byte[] question, Duration timeout) {
        this.context = context;
        this.changes = changes;
        this.id = id;
        this.timeout = timeout;
        this.call = Long.toUnsignedString(context.loop().randomLong(), Character.MAX_RADIX);
        this.asking = changes.asking(call, id, question, timeout);
        this.end = context.loop().nanoTime() + timeout.toNanos();
        this.refusals =
                new StoreRefusals(context, QuestionBoard.of(context, changes).trouble());
        this.paused = new PausedStep(context);
    }

    /** Begins to ask. Any thread. */
    public static AskRequest begin(
            RecipeContext context, AskingChanges changes, String id, byte[] question, Duration timeout) {
        var request = new AskRequest(context, changes, id, question, timeout);
        request.onLoop(request::start);
        return request;
    }

    /** Completes on the loop. */
    public CompletableFuture<AskOutcome> outcome() {
        return outcome;
    }

    /** Ends the call: the answer is not wanted any more. Any thread. */
    public void giveUp() {
        onLoop(this::timeOver);
    }

    private void onLoop(Runnable task) {
        ClosedCoordinator.onLoop(context, outcome, task);
    }

    private void start() {
        closing = context.beforeClosing(this::coordinatorCloses);
        tick();
        if (over || outcome.isDone()) {
            return; // this process was paused meanwhile, and has not asked
        }
        put();
        Subscription begun = QuestionBoard.of(context, changes).listen(this::changed);
        following = begun;
        if (outcome.isDone()) {
            begun.close();
        }
    }

    /** Closing waits a while for a withdrawal that is under way. */
    private CompletableFuture<Void> coordinatorCloses() {
        if (!over) {
            fail(RecipeContext.closedException());
        }
        return outcome.handle((what, failure) -> null);
    }

    private void tick() {
        long left = end - context.loop().nanoTime();
        if (outcome.isDone()) {
            return;
        }
        if (left <= 0) {
            timeOver();
        } else {
            context.loop().after(Duration.ofNanos(Math.min(left, TICK.toNanos())), this::tick);
        }
    }

    private void put() {
        busy = true;
        seenSincePut = false;
        Futures.onDone(changes.ask(asking), (asked, failure) -> {
            busy = false;
            if (outcome.isDone()) {
                return;
            }
            if (failure != null) {
                notPut(Futures.cause(failure));
                return;
            }
            refusals.over();
            if (asked instanceof Asked.There there) {
                isPut(there.question());
            } else if (asked instanceof Asked.PerhapsOver) {
                notAnswered(
                        "it may have been asked and answered: the write was not acknowledged, and its record has gone",
                        true);
            } else if (over) {
                notAsked();
            } else {
                look();
            }
        });
    }

    private void isPut(AskedQuestion there) {
        number = there.number();
        if (there.isAnswered()) {
            fetch(there);
        } else if (over) {
            withdraw();
        } else {
            look();
        }
    }

    private void notPut(Throwable why) {
        inDoubt |= !(why instanceof StoreUnavailableException);
        if (!isOutOfContact(why)) {
            fail(why);
        } else if (!over) {
            again(why, this::put, this::notPut);
        } else if (inDoubt || number != NOT_ON_RECORD) {
            notAnswered("it is not known whether the question was put on record: " + why.getMessage(), true);
        } else {
            fail(why);
        }
    }

    /** Takes the step again after a pause. If the time is over before, the failure is the last one. */
    private void again(Throwable why, Runnable step, Consumer<Throwable> failed) {
        busy = true;
        refusals.failed(why);
        paused.later(refusals.pause(PAUSE), () -> {
            if (outcome.isDone()) {
                return;
            }
            busy = false;
            if (over) {
                failed.accept(why);
            } else {
                step.run();
            }
        });
    }

    private boolean isOutOfContact(Throwable why) {
        return context.state() != SessionState.CLOSED
                && (why instanceof StoreUnavailableException
                        || why instanceof OutcomeUnknownException
                        || why instanceof SessionLostException);
    }

    private void changed(AskingRecord now) {
        seen = Optional.of(now);
        seenSincePut = true;
        look();
    }

    /** Looks at the record as it was seen last, which may be as it was before this call. */
    private void look() {
        if (outcome.isDone() || busy || seen.isEmpty()) {
            return;
        }
        AskingRecord now = seen.get();
        if (number == NOT_ON_RECORD) {
            if (seenSincePut && !changes.isFull(now) && !over) {
                put();
            }
        } else if (now.isOver(number)) {
            isGone();
        } else {
            now.byNumber(number).filter(AskedQuestion::isAnswered).ifPresent(this::fetch);
        }
    }

    private void fetch(AskedQuestion answered) {
        busy = true;
        Futures.onDone(changes.readText(answered), (text, failure) -> {
            busy = false;
            if (outcome.isDone()) {
                return;
            }
            if (failure == null) {
                refusals.over();
            }
            if (failure == null && text.isPresent()) {
                end(
                        answered.state() == State.FAILED
                                ? new AskOutcome.Failed(new String(text.get(), StandardCharsets.UTF_8))
                                : new AskOutcome.Answered(text.get()));
            } else if (failure == null) {
                isGone();
            } else {
                notFetched(answered, Futures.cause(failure));
            }
        });
    }

    private void notFetched(AskedQuestion answered, Throwable why) {
        if (!isOutOfContact(why)) {
            fail(why);
        } else if (!over) {
            again(why, () -> fetch(answered), last -> notFetched(answered, last));
        } else {
            notAnswered("there is an answer, and it was not read: " + why.getMessage(), true);
        }
    }

    private void isGone() {
        notAnswered("it has been withdrawn, or its answer was followed by too many others", true);
    }

    /** What is under way ends first, and then sees that the time is over. A pause ends at once. */
    private void timeOver() {
        if (over || outcome.isDone()) {
            return;
        }
        over = true;
        if (busy) {
            paused.now();
            return;
        }
        if (number == NOT_ON_RECORD) {
            find();
        } else {
            withdraw();
        }
    }

    /** This call has not put the question on record. Another one may have, or the same one before a restart. */
    private void find() {
        busy = true;
        Futures.onDone(changes.find(id), (there, failure) -> {
            busy = false;
            if (outcome.isDone()) {
                return;
            }
            if (failure != null) {
                notAnswered(
                        "this call has not asked it, and whether another one has could not be read: "
                                + Futures.cause(failure).getMessage(),
                        true);
            } else if (there.isPresent()) {
                isPut(there.get());
            } else {
                notAsked();
            }
        });
    }

    private void withdraw() {
        busy = true;
        Futures.onDone(changes.withdraw(number, call), (withdrawal, failure) -> {
            busy = false;
            if (outcome.isDone()) {
                return;
            }
            if (failure != null) {
                notAnswered(
                        "it could not be withdrawn: " + Futures.cause(failure).getMessage(), true);
                return;
            }
            switch (withdrawal.what()) {
                case WITHDRAWN -> notAnswered("no process has begun with it", false);
                case BEGUN -> notAnswered("a process has begun with it, and it stays on record", true);
                case ASKED_BY_ANOTHER -> notAnswered("another call has asked it, and it stays on record", true);
                case ANSWERED -> withdrawal.there().ifPresent(this::fetch);
                case OVER -> isGone();
            }
        });
    }

    private void notAsked() {
        notAnswered(
                "it was not put on record: its time was over, or as many questions were without an answer as may be",
                false);
    }

    private void notAnswered(String why, boolean mayHaveBegun) {
        end(new AskOutcome.NotAnswered(
                "question '" + id + "' of asking '" + changes.name() + "' was not answered within " + Texts.of(timeout)
                        + ": " + why,
                mayHaveBegun));
    }

    private void end(AskOutcome what) {
        outcome.complete(what);
        cleanUp();
    }

    private void fail(Throwable why) {
        outcome.completeExceptionally(why);
        cleanUp();
    }

    private void cleanUp() {
        following.close();
        closing.close();
        refusals.ended();
    }
}
