package io.baton.jdbc;

import io.baton.tck.RecipeContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.PostgresExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of recipes, on PostgreSQL. */
@Tag("postgres")
@Tag("long")
class PostgresRecipesIT extends RecipeContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    protected StoreUnderTest store() throws Exception {
        return JdbcUnderTest.on(postgres.server());
    }
}
