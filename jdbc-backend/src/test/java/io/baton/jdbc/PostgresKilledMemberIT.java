package io.baton.jdbc;

import io.baton.tck.KilledMemberContract;
import io.baton.testkit.database.PostgresExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
@Tag("long")
class PostgresKilledMemberIT extends KilledMemberContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    protected String uri() {
        return postgres.server().uri("/killed");
    }
}
