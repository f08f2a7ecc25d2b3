package io.baton.fence.jdbc;

import io.baton.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;

/** What happens to the transaction of a former holder. */
final class StaleTokens {

    private StaleTokens() {}

    /** A token, and the turn of a holder whose lock has a cohort. */
    record HolderToken(long token, long turn) {

        @Override
        public String toString() {
            return turn == 0 ? Long.toString(token) : token + ", turn " + turn;
        }
    }

    /**
     * Rolls the transaction back, so that nothing of it can be committed, and returns what to throw.
     *
     * @param what the resource
     */
    static StaleTokenException refuse(Connection connection, String what, HolderToken own, HolderToken seen) {
        var stale = new StaleTokenException(
                "token " + own + " is refused for " + what + ": a later holder has been there, with token " + seen
                        + "; the transaction was rolled back, acquire the lock again",
                own.token(),
                seen.token());
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException notRolledBack) {
            stale.addSuppressed(notRolledBack);
        }
        return stale;
    }
}
