package io.baton.jdbc;

import io.baton.tck.FailOverContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.LocalPostgres;
import io.baton.testkit.server.ServerExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a fail-over, where PostgreSQL crashes and is started again. */
@Tag("postgres")
class PostgresCrashContractIT extends FailOverContract {

    @RegisterExtension
    static final ServerExtension<LocalPostgres> postgres = new ServerExtension<>(
            LocalPostgres.class, () -> LocalPostgres.builder().start()) {};

    @Override
    protected StoreUnderTest store() throws Exception {
        return JdbcUnderTest.on(postgres.server(), JdbcFailOver.crash(postgres.server()));
    }
}
