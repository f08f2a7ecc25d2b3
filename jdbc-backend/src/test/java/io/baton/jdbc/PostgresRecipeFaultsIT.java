package io.baton.jdbc;

import io.baton.tck.RecipeFaultContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.PostgresExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds for recipes when the contact is cut at any message, on PostgreSQL. */
@Tag("postgres")
@Tag("long")
class PostgresRecipeFaultsIT extends RecipeFaultContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    protected StoreUnderTest store() throws Exception {
        return JdbcUnderTest.on(postgres.server()).asStage();
    }
}
