package io.baton.fence.jdbc;

import io.baton.testkit.database.PostgresExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
class PostgresFenceIT extends FenceContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    PostgresFenceIT() {
        super(Database.POSTGRESQL, true);
    }

    @Override
    Connection open() throws SQLException {
        return DriverManager.getConnection(postgres.uri());
    }
}
