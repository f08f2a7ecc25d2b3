package io.baton.jdbc;

import static org.awaitility.Awaitility.await;

import io.baton.testkit.database.PostgresExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
class PostgresLossyServerIT extends LossyServerContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    private String uri;

    @BeforeEach
    void newDatabase() {
        uri = postgres.uri();
    }

    @Override
    String uri() {
        return uri;
    }

    @Override
    Map<String, String> lossy() {
        return Map.of("fsync", "off", "full_page_writes", "off");
    }

    @Override
    void set(Map<String, String> settings) throws SQLException {
        for (Map.Entry<String, String> each : settings.entrySet()) {
            sql("alter system set " + each.getKey() + " = " + each.getValue());
        }
        sql("select pg_reload_conf()");
        await().atMost(Duration.ofSeconds(60)).until(() -> lossyNow() == settings.size());
    }

    @Override
    void restore() throws SQLException {
        sql("alter system reset all", "select pg_reload_conf()");
        await().atMost(Duration.ofSeconds(60)).until(() -> lossyNow() == 0);
    }

    private void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private int lossyNow() throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri)) {
            return new Flight()
                    .add(new PostgresDialect().lossy())
                    .oneByOne(connection, false)
                    .get(0)
                    .rows()
                    .size();
        }
    }
}
