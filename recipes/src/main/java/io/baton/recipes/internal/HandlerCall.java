package io.baton.recipes.internal;

import io.baton.CoordinatorClosedException;
import io.baton.LockLostException;
import io.baton.recipe.Futures;
import io.baton.recipe.UnprintableException;
import io.baton.recipes.Asking;
import io.baton.recipes.Question;
import io.baton.recipes.QuestionHandler;
import io.baton.recipes.StandingQuestion.State;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One call of a handler. */
final class HandlerCall {

    private final QuestionHandler handler;
    private final Question question;
    private @Nullable Thread thread;
    private boolean interrupted;

    /** What came of the call: the answer, the message of a failure, or none, as the store was out of the handler's reach. */
    sealed interface Result {

        /** An answer, which may be a failure. */
        record Answer(State state, byte[] bytes) implements Result {}

        /** None: the question is to be begun again. */
        record None(Throwable why) implements Result {}
    }

    HandlerCall(QuestionHandler handler, Question question) {
        this.handler = handler;
        this.question = question;
    }

    static Result.Answer failed(String message) {
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        return new Result.Answer(
                State.FAILED, text.length > Asking.MAX_BYTES ? Arrays.copyOf(text, Asking.MAX_BYTES) : text);
    }

    /** Calls the handler. In a callback. */
    Result run() {
        if (!begin()) {
            return failed("interrupted");
        }
        try {
            byte[] answer = Objects.requireNonNull(handler.answer(question), "the handler has returned null");
            return answer.length > Asking.MAX_BYTES
                    ? failed("the answer has " + answer.length + " bytes; it may have " + Asking.MAX_BYTES)
                    : new Result.Answer(State.ANSWERED, answer);
        } catch (Throwable thrown) {
            Throwable why = Futures.cause(thrown);
            return isToBeBegunAgain(why)
                    ? new Result.None(UnprintableException.printable(why))
                    : failed(UnprintableException.printable(thrown).toString());
        } finally {
            end();
        }
    }

    /** A closed coordinator fails every further attempt, too. If it is the server's own one, the server ends. */
    private static boolean isToBeBegunAgain(Throwable why) {
        return why instanceof LockLostException
                || (Futures.isTransient(why) && !(why instanceof CoordinatorClosedException));
    }

    /** Interrupts the handler if it runs, and keeps it from running if it does not yet. Any thread. */
    synchronized void interrupt() {
        interrupted = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    private synchronized boolean begin() {
        thread = Thread.currentThread();
        return !interrupted;
    }

    /** The thread belongs to others from now on. */
    private synchronized void end() {
        thread = null;
        var unused = Thread.interrupted();
    }
}
