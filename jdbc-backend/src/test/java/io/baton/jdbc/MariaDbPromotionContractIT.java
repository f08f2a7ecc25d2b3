package io.baton.jdbc;

import io.baton.tck.FailOverContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.LocalMariaDb;
import org.junit.jupiter.api.Tag;

/** The contract of a fail-over, where a replica of MariaDB is promoted that lacks the latest. */
@Tag("mariadb")
@Tag("long")
class MariaDbPromotionContractIT extends FailOverContract {

    @Override
    protected StoreUnderTest store() {
        LocalMariaDb primary = server();
        return JdbcUnderTest.on(primary, JdbcFailOver.promotion(primary, server()));
    }

    private static LocalMariaDb server() {
        return LocalMariaDb.builder()
                .withReplicas()
                .setting("innodb-flush-log-at-trx-commit", "1")
                .start();
    }
}
