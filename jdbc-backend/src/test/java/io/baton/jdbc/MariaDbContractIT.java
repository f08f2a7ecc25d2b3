package io.baton.jdbc;

import io.baton.tck.StoreContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.MariaDbExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a store, on MariaDB. */
@Tag("mariadb")
@Tag("long")
class MariaDbContractIT extends StoreContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    protected StoreUnderTest store() throws Exception {
        return JdbcUnderTest.on(mariadb.server());
    }
}
