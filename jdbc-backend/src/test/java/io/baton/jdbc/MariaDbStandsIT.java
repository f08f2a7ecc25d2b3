package io.baton.jdbc;

import io.baton.testkit.database.MariaDbExtension;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
class MariaDbStandsIT extends StandsContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    JdbcUnderTest store() throws SQLException {
        return JdbcUnderTest.on(mariadb.server());
    }
}
