package io.baton.testkit.database;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

@Tag("mariadb")
@Timeout(240)
class LocalMariaDbIT extends LocalDatabaseContract<LocalMariaDb> {

    LocalMariaDbIT() {
        super("mariadb");
    }

    @Override
    LocalMariaDb start() {
        return LocalMariaDb.start();
    }

    @Override
    void kill(LocalMariaDb server) {
        server.kill();
    }

    @Override
    void restart(LocalMariaDb server) {
        server.restart();
    }
}
