package io.baton.examples.races;

import io.baton.testkit.database.MariaDbExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
@Tag("long")
class MariaDbRacesIT extends RacesContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    String database() {
        return mariadb.server().uri("/races");
    }
}
