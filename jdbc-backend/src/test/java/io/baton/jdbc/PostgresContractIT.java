package io.baton.jdbc;

import io.baton.tck.StoreContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.PostgresExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a store, on PostgreSQL. */
@Tag("postgres")
class PostgresContractIT extends StoreContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    protected StoreUnderTest store() throws Exception {
        return JdbcUnderTest.on(postgres.server());
    }
}
