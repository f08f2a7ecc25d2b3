package io.baton.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.proxy.Direction;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
@Timeout(60)
class PostgresFramingIT extends DatabaseFramingContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    PostgresFramingIT() {
        super(postgres.server(), postgres.server().uri("/framing"), new PostgresFraming());
    }

    @Override
    String firstOfTheAnswerToAnInsert() {
        return "query(insert stock)" + BEGINS;
    }

    @Test
    void name_push_isANotification() throws SQLException {
        try (Connection connection = connect();
                Connection other = connectDirectly()) {
            execute(connection, "listen news");
            execute(other, "notify news");

            await().until(() -> seen(Direction.TO_CLIENT).contains("notification"));
        }
    }

    /** What the driver has sent several times it prepares, and names it from then on. */
    @Test
    void name_statementThatIsPrepared_isTheSameEachTime() throws SQLException {
        try (Connection connection = connect();
                var insert = connection.prepareStatement("insert into stock values (?)")) {
            for (int n = 1; n <= 10; n++) {
                insert.setInt(1, n);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
        }

        assertThat(seen(Direction.TO_SERVER).stream().filter("query(insert stock)"::equals))
                .hasSize(10);
    }
}
