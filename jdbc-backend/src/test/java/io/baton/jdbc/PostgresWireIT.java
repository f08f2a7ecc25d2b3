package io.baton.jdbc;

import io.baton.testkit.database.PostgresExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
class PostgresWireIT extends WireContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    String uri() {
        return postgres.uri();
    }

    @Override
    void crash() {
        postgres.server().kill();
        postgres.server().restart();
    }
}
