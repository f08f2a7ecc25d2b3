package io.baton.chaos;

import org.junit.jupiter.api.Tag;

@Tag("mariadb")
@Tag("long")
class MariaDbShortRunIT extends ShortRun {

    MariaDbShortRunIT() {
        super(StoreKind.MARIADB);
    }
}
