package io.baton.jdbc;

import io.baton.tck.LockFamilyContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.MariaDbExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Read/write locks, semaphores and other locks, on MariaDB. */
@Tag("mariadb")
@Tag("long")
class MariaDbLockFamilyIT extends LockFamilyContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    protected StoreUnderTest store() throws Exception {
        return JdbcUnderTest.on(mariadb.server());
    }
}
