package io.baton.examples.races;

import io.baton.testkit.database.PostgresExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
class PostgresRacesIT extends RacesContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    String database() {
        return postgres.server().uri("/races");
    }
}
