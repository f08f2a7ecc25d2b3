package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.StoreUnavailableException;
import io.baton.testkit.database.LocalPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** There is no space left for a table: its file may not grow any more. */
@Tag("postgres")
@Timeout(180)
class PostgresFullIT {

    private static final CoordinatorOptions OPTIONS = CoordinatorOptions.builder()
            .ttl(Duration.ofSeconds(10))
            .connectTimeout(Duration.ofSeconds(60))
            .build();

    /** No less than a file of the log needs. The last page is written in part, as on a disk that is full. */
    private static final long LARGEST_FILE = (16L << 20) + 100;

    @Test
    void acquire_noSpace_saysSoAndHoldsGoOnUntilThereIsSpaceAgain() throws Exception {
        try (LocalPostgres server =
                        LocalPostgres.builder().setting("autovacuum", "off").start();
                Coordinator baton = Coordinator.connect(server.uri("/full"), OPTIONS);
                Hold hold = baton.lock("held").acquire()) {
            List<HoldState> states = new CopyOnWriteArrayList<>();
            hold.onState(states::add);
            server.limitFiles(LARGEST_FILE);
            fill(server.uri("/full"));

            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            baton.lock("one of many " + i).acquire();
                        }
                    })
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("could not extend file");
            Duration left = hold.remaining();
            await().atMost(Duration.ofSeconds(60)).until(() -> hold.remaining().compareTo(left) > 0);

            server.limitFilesNoMore();
            baton.lock("once there is space").acquire().close();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(states).doesNotContain(HoldState.JEOPARDY, HoldState.LOST);
        }
    }

    /** Fills the table of entries: at first by rows of about a page. */
    private static void fill(String uri) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement sql = connection.createStatement();
                PreparedStatement insert = connection.prepareStatement(
                        "insert into baton_entry select 'filler', n, 'filler-' || n, 'filler',"
                                + " 0, 0, false, convert_to(repeat('x', ?), 'UTF8') from generate_series(?, ?) n")) {
            sql.execute("insert into baton_session values ('filler', 0, 1000, 1000000000000000, 1000000000000000, '')");
            sql.execute("alter table baton_entry alter payload set storage plain");
            int row = 0;
            int rows = 512;
            for (int size = 8_000; size > 0; size /= 2) {
                insert.setInt(1, size);
                while (rows > 0) {
                    insert.setInt(2, row + 1);
                    insert.setInt(3, row + rows);
                    try {
                        row += insert.executeUpdate();
                    } catch (SQLException full) {
                        assertThat(full.getMessage()).contains("could not extend file");
                        rows /= 2;
                    }
                }
                rows = 1;
            }
        }
    }
}
