package io.baton.recipes.internal;

import io.baton.recipes.NotAnsweredException;
import io.baton.recipes.QuestionFailedException;

/** What came of a call that asked. */
public sealed interface AskOutcome {

    /** There is an answer. */
    record Answered(byte[] answer) implements AskOutcome {
        @Override
        public byte[] get() {
            return answer;
        }
    }

    /** The handler has failed. */
    record Failed(String message) implements AskOutcome {
        @Override
        public byte[] get() {
            throw new QuestionFailedException(message);
        }
    }

    /** There is no answer. */
    record NotAnswered(String why, boolean mayHaveBegun) implements AskOutcome {
        @Override
        public byte[] get() {
            throw new NotAnsweredException(why, mayHaveBegun);
        }
    }

    /** Returns the answer, or throws what there is instead. */
    byte[] get();
}
