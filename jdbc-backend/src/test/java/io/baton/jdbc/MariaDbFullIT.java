package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.testkit.database.LocalMariaDb;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** There is no space left for the tables. */
@Tag("mariadb")
@Timeout(180)
class MariaDbFullIT {

    private static final CoordinatorOptions OPTIONS = CoordinatorOptions.builder()
            .ttl(Duration.ofSeconds(20))
            .connectTimeout(Duration.ofSeconds(60))
            .build();

    @Test
    void acquire_noSpace_saysSo() throws Exception {
        try (LocalMariaDb server = LocalMariaDb.builder()
                        .setting("innodb-file-per-table", "0")
                        .setting("innodb-data-file-path", "ibdata1:12M:autoextend:max:24M")
                        .start();
                Coordinator baton = Coordinator.connect(server.uri("/full"), OPTIONS);
                Connection connection = DriverManager.getConnection(server.uri("/full"));
                Statement sql = connection.createStatement()) {
            sql.execute("create table filler (content longblob)");
            for (int size = 1 << 20; size > 100; size /= 2) {
                fill(sql, size);
            }

            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            baton.lock("one of many " + "x".repeat(400) + i).acquire();
                        }
                    })
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("full");
        }
    }

    private static void fill(Statement sql, int size) {
        try {
            while (true) {
                sql.execute("insert into filler values (repeat('x', " + size + "))");
            }
        } catch (SQLException full) {
            assertThat(full.getMessage()).contains("full");
        }
    }
}
