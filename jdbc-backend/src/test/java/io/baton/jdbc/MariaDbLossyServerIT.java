package io.baton.jdbc;

import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.database.MariaDbExtension;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
class MariaDbLossyServerIT extends LossyServerContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    String uri() {
        return mariadb.uri();
    }

    @Override
    Map<String, String> lossy() {
        return Map.of("innodb_flush_log_at_trx_commit", "2");
    }

    @Override
    void set(Map<String, String> settings) {
        settings.forEach((name, value) -> mariadb.server().execute("set global " + name + " = " + value));
    }

    @Override
    void restore() {
        mariadb.server().execute("set global innodb_flush_log_at_trx_commit = 1");
    }

    /** These are set as it starts. */
    @Test
    void connect_serverWasStartedSoThatItMayLose_isRefusedWithEachSetting() {
        try (LocalMariaDb server = LocalMariaDb.builder()
                .withReplicas()
                .setting("sync-binlog", "0")
                .setting("innodb-doublewrite", "0")
                .setting("innodb-flush-method", "nosync")
                .start()) {
            refused(
                    server.uri("/lossy"),
                    "sync_binlog is 0",
                    "innodb_doublewrite is OFF",
                    "innodb_flush_method is nosync");
        }
    }
}
