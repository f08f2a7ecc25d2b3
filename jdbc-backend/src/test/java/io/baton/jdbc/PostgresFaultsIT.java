package io.baton.jdbc;

import io.baton.tck.FaultContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.PostgresExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds when the contact is cut at any message, on PostgreSQL. */
@Tag("postgres")
class PostgresFaultsIT extends FaultContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    protected StoreUnderTest store() throws Exception {
        return JdbcUnderTest.ofAllStages(postgres.server());
    }
}
