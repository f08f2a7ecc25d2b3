package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that accepts connections and says nothing: a thread and a socket for each attempt would stay for ever. */
class SilentDatabaseTest {

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql", "jdbc:mariadb"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void open_serverSaysNothing_isGivenUp(String scheme) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String uri = scheme + "://127.0.0.1:" + silent.getLocalPort() + "/test";
            StoreDatabase database = JdbcAddress.parse(uri, Map.of("BATON_JDBC_USER", "somebody"))
                    .database(Duration.ofSeconds(1));

            assertThatThrownBy(() -> database.open("session", Duration.ofSeconds(10)))
                    .isInstanceOf(SQLException.class);
        }
    }
}
