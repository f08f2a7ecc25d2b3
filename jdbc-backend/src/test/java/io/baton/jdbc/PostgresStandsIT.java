package io.baton.jdbc;

import io.baton.testkit.database.PostgresExtension;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
class PostgresStandsIT extends StandsContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    JdbcUnderTest store() throws SQLException {
        return JdbcUnderTest.on(postgres.server());
    }
}
