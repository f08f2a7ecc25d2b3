package io.baton.jdbc;

import io.baton.tck.FailOverContract;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.server.ServerExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a fail-over, where MariaDB crashes and is started again. */
@Tag("mariadb")
@Tag("long")
class MariaDbCrashContractIT extends FailOverContract {

    @RegisterExtension
    static final ServerExtension<LocalMariaDb> mariadb = new ServerExtension<>(
            LocalMariaDb.class,
            () -> LocalMariaDb.builder()
                    .setting("innodb-flush-log-at-trx-commit", "1")
                    .start()) {};

    @Override
    protected StoreUnderTest store() {
        return JdbcUnderTest.on(mariadb.server(), JdbcFailOver.crash(mariadb.server()));
    }
}
