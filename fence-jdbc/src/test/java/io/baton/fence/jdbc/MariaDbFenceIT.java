package io.baton.fence.jdbc;

import io.baton.testkit.database.MariaDbExtension;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
class MariaDbFenceIT {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    /** Drivers count the rows that an update has found, as the standard asks for. */
    @Nested
    class FoundRowsCounted extends FenceContract {

        FoundRowsCounted() {
            super(Database.MARIADB, false);
        }

        @Override
        String url() {
            return mariadb.server().uri("/found");
        }
    }

    /** They are told to count those that an update has changed. */
    @Nested
    class ChangedRowsCounted extends FenceContract {

        ChangedRowsCounted() {
            super(Database.MARIADB, false);
        }

        @Override
        String url() {
            return mariadb.server().uri("/changed") + "&useAffectedRows=true";
        }
    }
}
