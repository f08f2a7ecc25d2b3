package io.baton;

/**
 * A resource that a lock protects has refused a holder, because a later one has been there. What was asked of it has not
 * been done. Acquire the lock again.
 */
public final class StaleTokenException extends LockLostException {

    private static final long serialVersionUID = 1L;

    private final long token;
    private final long latestToken;

    /** Says what was refused, the token that came, and the largest token that the resource has seen. */
    public StaleTokenException(String message, long token, long latestToken) {
        super(message);
        this.token = token;
        this.latestToken = latestToken;
    }

    /** Returns the token that was refused. */
    public long token() {
        return token;
    }

    /** Returns the token of the later holder: the same one if the two share a place and differ by their turns. */
    public long latestToken() {
        return latestToken;
    }
}
