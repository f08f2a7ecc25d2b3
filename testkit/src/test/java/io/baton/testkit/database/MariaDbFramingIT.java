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

@Tag("mariadb")
@Timeout(60)
class MariaDbFramingIT extends DatabaseFramingContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    MariaDbFramingIT() {
        super(mariadb.server(), mariadb.server().uri("/framing") + "&allowMultiQueries=true", new MariaDbFraming());
    }

    /** It has one packet. */
    @Override
    String firstOfTheAnswerToAnInsert() {
        return "query(insert stock)";
    }

    @Test
    void name_commandsOfOtherKinds_byTheirOwnNames() throws SQLException {
        try (Connection connection = connect()) {
            assertThat(connection.isValid(10)).isTrue();
        }

        // A client does not wait for an answer to that.
        await().untilAsserted(() ->
                assertThat(seen(Direction.TO_SERVER)).contains("ping").endsWith("quit"));
        assertThat(seen(Direction.TO_CLIENT)).startsWith("greeting", "login").contains("ping");
    }
}
