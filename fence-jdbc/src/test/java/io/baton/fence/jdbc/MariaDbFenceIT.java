package io.baton.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.baton.testkit.database.MariaDbExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
class MariaDbFenceIT {

    private static final int RECORD_HAS_CHANGED = 1020;

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    /** Drivers count the rows that an update has found, as the standard asks for. */
    @Nested
    class FoundRowsCounted extends FenceContract {

        FoundRowsCounted() {
            super(Database.MARIADB, false);
        }

        @Override
        String url() {
            return mariadb.server().uri("/found");
        }
    }

    /** They are told to count those that an update has changed. */
    @Nested
    class ChangedRowsCounted extends FenceContract {

        ChangedRowsCounted() {
            super(Database.MARIADB, false);
        }

        @Override
        String url() {
            return mariadb.server().uri("/changed") + "&useAffectedRows=true";
        }
    }

    /** The setting with which the server refuses a claim behind an old read; the guide names it. */
    @Test
    void claim_byAnOldSnapshotWithSnapshotIsolation_isRefused() throws SQLException {
        String url = mariadb.server().uri("/isolated") + "&sessionVariables=innodb_snapshot_isolation=ON";
        try (Connection holder = DriverManager.getConnection(url);
                Connection another = DriverManager.getConnection(url);
                Statement sql = holder.createStatement()) {
            Fences fences = Fences.in("baton_fence", Database.MARIADB);
            fences.createTable(holder);
            sql.execute("create table account (id integer primary key, balance integer)");
            holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            holder.setAutoCommit(false);
            another.setAutoCommit(false);
            sql.executeQuery("select balance from account").close();
            fences.claim(another, "account-7", 4, 0);
            another.commit();

            Throwable refused = catchThrowable(() -> fences.claim(holder, "account-7", 5, 0));

            assertThat(refused)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            changed -> assertThat(changed.getErrorCode()).isEqualTo(RECORD_HAS_CHANGED));
            holder.rollback();
            fences.claim(holder, "account-7", 5, 0);
        }
    }
}
