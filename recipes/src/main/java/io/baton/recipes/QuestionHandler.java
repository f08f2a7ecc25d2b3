package io.baton.recipes;

/** Answers questions. One call at a time for each asking, on a callback thread, which it may block. */
@FunctionalInterface
public interface QuestionHandler {

    /**
     * Does what is asked, and returns the answer.
     *
     * <p>The thread is interrupted when the hold is lost or serving is to end. What is returned after a loss goes
     * nowhere: another process begins the same question again.
     *
     * <p>A handler that throws {@link io.baton.StoreUnavailableException}, {@link io.baton.OutcomeUnknownException},
     * {@link io.baton.SessionLostException} or {@link io.baton.LockLostException} has not answered, as it does not know
     * what became of its work. The question is begun again after a pause, under another hold, by this process or another.
     * What the handler wrote under {@code Guard.held(question.hold())} has been applied by then, or never will be. Until
     * it is answered, such a question keeps those behind it waiting. A {@link io.baton.CoordinatorClosedException} of
     * another coordinator does not pass, so it is an answer.
     *
     * @return the answer: at most {@link Asking#MAX_BYTES} bytes
     * @throws Exception any other one is an answer as well: the asker gets a {@link QuestionFailedException}. While
     *     serving is to end, it is none: another process begins the question again
     */
    byte[] answer(Question question) throws Exception;
}
