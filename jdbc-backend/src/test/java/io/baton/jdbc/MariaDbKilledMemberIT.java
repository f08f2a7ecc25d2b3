package io.baton.jdbc;

import io.baton.tck.KilledMemberContract;
import io.baton.testkit.database.MariaDbExtension;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
@Tag("long")
class MariaDbKilledMemberIT extends KilledMemberContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    protected String uri() {
        return mariadb.server().uri("/killed");
    }

    /** As on PostgreSQL, and observers look for what has changed. */
    @Override
    protected Duration afterwards() {
        return Duration.ofMillis(2_500).plus(Watch.LONGEST);
    }
}
