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
     * Rolls the transaction back, so that nothing of it can be committed, and returns what to throw. It says whether that
     * has failed, as with a transaction that a framework owns.
     *
     * @param what the resource
     */
    static StaleTokenException refuse(Connection connection, String what, HolderToken own, HolderToken seen) {
        SQLException notRolledBack = null;
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException refused) {
            notRolledBack = refused;
        }
        var stale = new StaleTokenException(
                "token " + own + " is refused for " + what + ": a later holder has been there, with token " + seen
                        + (notRolledBack == null
                                ? "; the transaction was rolled back, acquire the lock again"
                                : "; the transaction could not be rolled back here, so whoever began it has to, and to"
                                        + " acquire the lock again"),
                own.token(),
                seen.token());
        if (notRolledBack != null) {
            stale.addSuppressed(notRolledBack);
        }
        return stale;
    }
}
