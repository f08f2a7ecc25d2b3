package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
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

    private static final Duration TTL = Duration.ofSeconds(6);
    private static final CoordinatorOptions OPTIONS = CoordinatorOptions.builder()
            .ttl(TTL)
            .connectTimeout(Duration.ofSeconds(60))
            .build();

    @Test
    void acquire_noSpace_saysSoAndAHoldGoesOn() throws Exception {
        try (LocalMariaDb server = LocalMariaDb.builder()
                        .setting("innodb-file-per-table", "0")
                        .setting("innodb-data-file-path", "ibdata1:12M:autoextend:max:24M")
                        .start();
                Coordinator baton = Coordinator.connect(server.uri("/full"), OPTIONS);
                Hold held = baton.lock("held").acquire();
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

            await().during(TTL.multipliedBy(2)).atMost(TTL.multipliedBy(4)).until(() -> held.state() == HoldState.HELD);
            sql.execute("drop table filler");
            baton.lock("another").acquire().close();
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
