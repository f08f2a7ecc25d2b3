package io.baton.jdbc;

import io.baton.tck.KilledMemberContract;
import io.baton.testkit.database.PostgresExtension;
import java.time.Duration;
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

    /** The clock of sessions allows 1.25 s, and whoever follows a line looks at it once a second. */
    @Override
    protected Duration afterwards() {
        return Duration.ofMillis(2_500);
    }
}
