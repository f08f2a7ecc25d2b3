package io.baton.jdbc;

import io.baton.testkit.database.MariaDbExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
class MariaDbWireIT extends WireContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    String uri() {
        return mariadb.uri();
    }

    @Override
    void crash() {
        mariadb.server().kill();
        mariadb.server().restart();
    }
}
