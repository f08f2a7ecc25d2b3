package io.baton.chaos;

import org.junit.jupiter.api.Tag;

@Tag("postgres")
@Tag("long")
class PostgresShortRunIT extends ShortRun {

    PostgresShortRunIT() {
        super(StoreKind.POSTGRES);
    }
}
