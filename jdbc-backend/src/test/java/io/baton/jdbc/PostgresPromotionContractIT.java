package io.baton.jdbc;

import io.baton.tck.FailOverContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.LocalPostgres;
import org.junit.jupiter.api.Tag;

/** The contract of a fail-over, where a standby of PostgreSQL is promoted that lacks the latest. */
@Tag("postgres")
@Tag("long")
class PostgresPromotionContractIT extends FailOverContract {

    @Override
    protected StoreUnderTest store() throws Exception {
        LocalPostgres primary = LocalPostgres.builder().start();
        return JdbcUnderTest.on(primary, JdbcFailOver.promotion(primary));
    }
}
