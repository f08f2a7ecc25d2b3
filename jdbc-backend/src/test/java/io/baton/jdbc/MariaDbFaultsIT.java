package io.baton.jdbc;

import io.baton.tck.FaultContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.MariaDbExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds when the contact is cut at any message, on MariaDB. */
@Tag("mariadb")
@Tag("long")
class MariaDbFaultsIT extends FaultContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    protected StoreUnderTest store() throws Exception {
        return JdbcUnderTest.ofAllStages(mariadb.server());
    }
}
