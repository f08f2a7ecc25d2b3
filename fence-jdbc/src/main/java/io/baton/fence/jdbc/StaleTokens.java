package io.baton.fence.jdbc;

import io.baton.LockLostException;
import java.sql.Connection;
import java.sql.SQLException;

/** What happens to the transaction of a former holder. */
final class StaleTokens {

    private StaleTokens() {}

    /**
     * Rolls the transaction back, so that nothing of it can be committed, and returns what to throw.
     *
     * @param what the resource
     * @param seen the larger token
     */
    static LockLostException refuse(Connection connection, String what, String own, String seen) {
        LockLostException stale = new LockLostException("token " + own + " is refused for " + what
                + ": a later holder has been there, with token " + seen
                + "; the transaction was rolled back, acquire the lock again");
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
