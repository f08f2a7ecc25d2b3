package io.baton.recipes;

import io.baton.Hold;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A question that a process serves.
 *
 * @param id its id, for all processes
 * @param bytes what is asked; not to be modified
 * @param hold the hold under which this process serves; {@code Guard.held} makes a write depend on it. Closing it ends
 *     the serving of this question, as a loss does: this process or another begins it again
 * @param attempt how often a process has begun with this question, from 1; above that, an earlier process may have done
 *     the work, or a part of it
 */
public record Question(String id, byte[] bytes, Hold hold, int attempt) {

    /** Checks that nothing is missing. */
    public Question {
        Objects.requireNonNull(id);
        Objects.requireNonNull(bytes);
        Objects.requireNonNull(hold);
    }

    /** Returns the question as UTF-8 text. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the fencing token: larger than that of every process that has served before. */
    public long token() {
        return hold.token();
    }

    @Override
    public String toString() {
        return "question '" + id + "'";
    }
}
