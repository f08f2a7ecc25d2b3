package io.baton.jdbc;

import io.baton.tck.LockFamilyContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.PostgresExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Read/write locks, semaphores and other locks, on PostgreSQL. */
@Tag("postgres")
@Tag("long")
class PostgresLockFamilyIT extends LockFamilyContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    protected StoreUnderTest store() throws Exception {
        return JdbcUnderTest.on(postgres.server());
    }
}
