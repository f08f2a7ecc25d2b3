package io.baton.testkit.database;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

@Tag("postgres")
@Timeout(240)
class LocalPostgresIT extends LocalDatabaseContract<LocalPostgres> {

    LocalPostgresIT() {
        super("postgres");
    }

    @Override
    LocalPostgres start() {
        return LocalPostgres.start();
    }

    @Override
    void kill(LocalPostgres server) {
        server.kill();
    }

    @Override
    void restart(LocalPostgres server) {
        server.restart();
    }
}
