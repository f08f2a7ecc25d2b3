package io.baton.fence.jdbc;

import io.baton.testkit.database.PostgresExtension;
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
    String url() {
        return postgres.server().uri("/fences");
    }
}
