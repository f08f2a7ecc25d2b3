package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.LineAcquisition;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.Question;
import io.baton.recipes.QuestionHandler;
import io.baton.recipes.StandingQuestion.State;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A process that serves an asking, or stands by to do so. It waits for the lock of the asking. While it holds that, it
 * begins with one question after the other, runs the handler, and writes the answer. Every write depends on the hold.
 *
 * <p>If the store refuses that again and again, it leaves the lock to others for a while, as they may be allowed to. So
 * it does if the handler could not do its work: the question is begun again under another hold, so that what the handler
 * wrote under this one, and was not answered, is applied before that or never.
 *
 * <p>It has one handler running at most, also over a loss: it stands for the lock again once the handler has returned.
 * On the loop, except where a method says otherwise.
 */
public final class AskingServer implements Subscription {

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final RecipeContext context;
    private final AskingChanges changes;
    private final Resource lock;
    private final QuestionHandler handler;
    private final StoreRefusals refusals;
    private final StoreRefusals unanswered;
    private final PausedStep paused;
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private Subscription following = () -> {};
    private Subscription closing = () -> {};
    private @Nullable LineAcquisition acquisition;
    private @Nullable Hold hold;
    private @Nullable HandlerCall running;
    private long begunLast;
    private boolean busy;
    private boolean moreSeen;
    private boolean stopping;
    private boolean closedByHandler;

    private AskingServer(RecipeContext context, AskingChanges changes, String lock, QuestionHandler handler) {
        this.context = context;
        this.changes = changes;
        this.lock = Resource.lock(lock);
        this.handler = handler;
        this.refusals = new StoreRefusals(context, "Cannot serve asking '" + changes.name() + "'");
        this.unanswered = new StoreRefusals(context, "Cannot answer questions of asking '" + changes.name() + "'");
        this.paused = new PausedStep(context);
    }

    /**
     * Begins to serve. Any thread.
     *
     * @param lock the name of the lock under which one process at a time serves
     */
    public static AskingServer begin(
            RecipeContext context, AskingChanges changes, String lock, QuestionHandler handler) {
        var server = new AskingServer(context, changes, lock, handler);
        if (context.state() == SessionState.CLOSED || !context.loop().post(server::start)) {
            throw RecipeContext.closedException();
        }
        return server;
    }

    /** Ends serving. Waits for the handler to return, and the lock to be released, but not for ever. Any thread. */
    @Override
    public void close() {
        if (context.loop().post(this::stop) && !Callbacks.inside()) {
            Futures.awaitDone(context.closeTimeout(), left);
        }
    }

    private void start() {
        closing = context.beforeClosing(this::stop);
        following = QuestionBoard.of(context, changes).listen(seen -> {
            if (seen.isSettled(begunLast)) {
                unanswered.over(); // another process may have answered it
            }
            if (seen.next().isPresent()) {
                moreSeen = true;
                next();
            }
        });
        stand();
    }

    private void stand() {
        if (stopping) {
            leave();
            return;
        }
        try {
            acquisition = context.lines().acquire(lock, UnaryOperator.identity(), new Tenure());
        } catch (CoordinationException tooMany) {
            refusals.failed(tooMany);
            standLater(refusals);
        }
    }

    private void standLater(StoreRefusals refused) {
        context.loop().after(refused.pause(PAUSE), this::stand);
    }

    /** One stand for the lock, and the time in which it is held. */
    private final class Tenure implements LineAcquisition.Listener {

        private @Nullable Hold its;

        @Override
        public void granted(Hold granted) {
            its = granted;
            hold = granted;
            moreSeen = true;
            next();
        }

        @Override
        public void notGranted(Optional<CoordinationException> why) {
            acquisition = null;
            if (!stopping) {
                why.ifPresent(refusals::failed);
                standLater(refusals);
            }
        }

        @Override
        public void changed(HoldState state, boolean inContact) {
            boolean ended = state == HoldState.LOST || state == HoldState.RELEASED;
            if (ended && its != null && its == hold) {
                lost(state == HoldState.RELEASED);
            }
        }
    }

    /** The hold is lost, or the handler has closed it. */
    private void lost(boolean closed) {
        closedByHandler = closed;
        hold = null;
        acquisition = null;
        interrupt();
        if (!busy) {
            idle();
        }
        paused.now();
    }

    private void next() {
        Hold under = hold;
        if (under == null || busy || stopping || !moreSeen) {
            return;
        }
        busy = true;
        moreSeen = false;
        Futures.onDone(changes.begin(under), (question, failure) -> {
            if (failure != null) {
                moreSeen = true;
                failed(under, failure, this::idle);
            } else if (question.isEmpty()) {
                refusals.over();
                idle();
            } else {
                read(under, question.get());
            }
        });
    }

    private void idle() {
        busy = false;
        if (stopping) {
            leave();
        } else if (closedByHandler) {
            closedByHandler = false;
            unanswered.refused(new LockLostException("the handler has closed the hold of its question"));
            standLater(unanswered);
        } else if (hold == null) {
            stand();
        } else {
            next();
        }
    }

    private boolean isOver(Hold under) {
        return hold != under || stopping;
    }

    private void read(Hold under, AskedQuestion begun) {
        Futures.onDone(changes.readText(begun), (text, failure) -> {
            if (isOver(under)) {
                idle();
            } else if (failure != null) {
                failed(under, failure, () -> read(under, begun));
            } else if (text.isEmpty()) {
                refusals.over();
                answer(under, begun, HandlerCall.failed("the text of the question has been removed from the store"));
            } else {
                refusals.over();
                run(under, begun, text.get());
            }
        });
    }

    private void run(Hold under, AskedQuestion begun, byte[] text) {
        var call = new HandlerCall(handler, new Question(begun.id(), text, under, begun.attempts()));
        running = call;
        begunLast = begun.number();
        boolean runs = context.callbacks().run(() -> {
            HandlerCall.Result result = call.run();
            context.loop().post(() -> returned(under, begun, result));
        });
        if (!runs) {
            running = null;
            idle();
        }
    }

    private void returned(Hold under, AskedQuestion begun, HandlerCall.Result result) {
        running = null;
        if (hold != under) {
            idle();
        } else if (result instanceof HandlerCall.Result.Answer answer) {
            if (stopping && answer.state() == State.FAILED) {
                idle();
            } else {
                unanswered.over();
                answer(under, begun, answer);
            }
        } else if (result instanceof HandlerCall.Result.None none) {
            unanswered.refused(none.why());
            leaveTheLock(unanswered);
        }
    }

    private void answer(Hold under, AskedQuestion begun, HandlerCall.Result.Answer result) {
        Futures.onDone(changes.answer(under, begun, result.state(), result.bytes()), (answered, failure) -> {
            if (failure == null || hold != under) {
                if (failure == null) {
                    refusals.over();
                }
                idle();
                return;
            }
            // The handler has done its work, which is not to be done again as long as this process holds the lock.
            refusals.failed(failure);
            if (stopping && refusals.isLasting()) {
                idle();
            } else {
                retryLater(() -> answer(under, begun, result));
            }
        });
    }

    private void failed(Hold under, Throwable failure, Runnable again) {
        refusals.failed(failure);
        if (refusals.isLasting() && hold == under) {
            leaveTheLock(refusals);
        } else if (isOver(under)) {
            idle();
        } else {
            retryLater(again);
        }
    }

    private void retryLater(Runnable again) {
        paused.later(refusals.pause(PAUSE), again);
    }

    private void leaveTheLock(StoreRefusals refused) {
        LineAcquisition its = acquisition;
        acquisition = null;
        hold = null;
        Futures.onDone(withdrawn(its), (gone, unused) -> {
            busy = false;
            if (stopping) {
                leave();
            } else {
                standLater(refused);
            }
        });
    }

    private static CompletableFuture<Void> withdrawn(@Nullable LineAcquisition its) {
        return its == null ? CompletableFuture.completedFuture(null) : its.withdraw();
    }

    private CompletableFuture<Void> stop() {
        if (!stopping) {
            stopping = true;
            following.close();
            interrupt();
            if (!busy) {
                leave();
            }
            paused.now();
        }
        return left;
    }

    private void interrupt() {
        HandlerCall call = running;
        if (call != null) {
            call.interrupt();
        }
    }

    private void leave() {
        LineAcquisition its = acquisition;
        acquisition = null;
        hold = null;
        refusals.over();
        unanswered.over();
        Futures.onDone(withdrawn(its), (gone, failure) -> {
            closing.close();
            left.complete(null);
        });
    }
}
