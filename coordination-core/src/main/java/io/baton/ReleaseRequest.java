package io.baton;

import java.time.Instant;

/**
 * A request to a holder that it release its hold. The holder decides: it closes the hold, at once or later, or {@link
 * #refuse refuses}, or does nothing.
 */
public interface ReleaseRequest {

    /** Returns the name of the client that asks, for people. */
    String by();

    /** Returns why it asks, for people. */
    String reason();

    /** Returns when it was asked, by the clock of the client that asks. */
    Instant at();

    /**
     * Tells the client that asks that the hold will not be released. Does not wait. Has no effect if the hold has ended
     * or another request has come since, or if a program of another library asks, which takes no answer.
     *
     * @param why for people, of which the first 2,000 characters are told
     */
    void refuse(String why);
}
