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
     * @return the answer: at most {@link Asking#MAX_BYTES} bytes
     * @throws Exception is an answer as well: the asker gets a {@link QuestionFailedException}. While serving is to
     *     end, it is none: another process begins the question again
     */
    byte[] answer(Question question) throws Exception;
}
