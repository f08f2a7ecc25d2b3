package io.baton.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Fault;
import io.baton.testkit.proxy.Framing;
import io.baton.testkit.proxy.Moment;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.proxy.Trigger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds of the framing of a database's protocol, with its driver and a real server. */
abstract class DatabaseFramingContract {

    static final String BEGINS = PostgresFraming.BEGINS;

    private final LocalDatabase server;
    private final String url;
    private final TcpProxy proxy;
    private final Map<Direction, List<String>> seen = new ConcurrentHashMap<>();

    DatabaseFramingContract(LocalDatabase server, String url, Framing framing) {
        this.server = server;
        this.url = url;
        proxy = TcpProxy.to(server.address(), framing);
    }

    @BeforeEach
    void note() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            execute(connection, "drop table if exists stock", "create table stock (n int)");
        }
        for (Direction direction : Direction.values()) {
            List<String> names = new CopyOnWriteArrayList<>();
            seen.put(direction, names);
            proxy.faults()
                    .at(
                            direction,
                            1,
                            name -> {
                                names.add(name);
                                return false;
                            },
                            Moment.BEFORE,
                            Fault.hold());
        }
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void name_aConnectionFromItsLoginOn_requestsAndAnswersByStatements() throws Exception {
        try (Connection connection = connect()) {
            execute(connection, "insert into stock values (1)", "update stock set n = 2");
            assertThat(numbers(connection)).containsExactly(2);
            assertThatThrownBy(() -> execute(connection, "delete from nothing")).isInstanceOf(SQLException.class);
        }

        List<String> statements =
                List.of("query(insert stock)", "query(update stock)", "query(select stock)", "query(delete nothing)");
        assertThat(seen(Direction.TO_SERVER)).startsWith("login").containsSubsequence(statements);
        assertThat(seen(Direction.TO_CLIENT)).containsSubsequence("login", "query(insert stock)");
        assertThat(seen(Direction.TO_CLIENT).stream().filter(statements::contains))
                .containsExactlyElementsOf(statements);
        assertThat(seen(Direction.TO_CLIENT))
                .containsSubsequence("query(select stock)" + BEGINS, "query(select stock)");
    }

    @Test
    void name_severalStatementsAtOnceWithManyRows_areOneMessageEachWay() throws Exception {
        String name = "query(insert stock, select stock)";
        String values = IntStream.range(0, 1_000).mapToObj(n -> "(" + n + ")").collect(Collectors.joining(", "));
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            sql.execute("insert into stock values " + values + "; select n from stock; select n + 1 from stock");
            execute(connection, "update stock set n = 0");
        }

        assertThat(seen(Direction.TO_SERVER)).containsOnlyOnce(name);
        assertThat(seen(Direction.TO_CLIENT))
                .containsOnlyOnce(name, name + BEGINS)
                .endsWith("query(update stock)");
    }

    @Test
    void at_cutBeforeARequest_itIsNotApplied() throws Exception {
        try (Connection connection = connect()) {
            Trigger lost = cut(Direction.TO_SERVER, "query(insert stock)");

            assertThatThrownBy(() -> execute(connection, "insert into stock values (1)"))
                    .isInstanceOf(SQLException.class);

            assertThat(lost.message()).contains("query(insert stock)");
            assertThat(stock()).isEmpty();
        }
    }

    @Test
    void at_cutBeforeAnAnswer_itIsAppliedAndTheClientDoesNotKnow() throws Exception {
        try (Connection connection = connect()) {
            Trigger lost = cut(Direction.TO_CLIENT, firstOfTheAnswerToAnInsert());

            assertThatThrownBy(() -> execute(connection, "insert into stock values (1)"))
                    .isInstanceOf(SQLException.class);

            assertThat(lost.fired()).isTrue();
            await().untilAsserted(() -> assertThat(stock()).containsExactly(1));
        }
    }

    /** The name of the first message of the answer to {@code insert into stock}. */
    abstract String firstOfTheAnswerToAnInsert();

    @Test
    void at_cutInTheMiddleOfAnAnswer_theClientHasNoneOfIt() throws Exception {
        try (Connection connection = connect()) {
            execute(connection, "insert into stock values (1), (2)");
            Trigger lost = cut(Direction.TO_CLIENT, "query(select stock)");

            assertThatThrownBy(() -> numbers(connection)).isInstanceOf(SQLException.class);

            assertThat(lost.message()).contains("query(select stock)");
            assertThat(seen(Direction.TO_CLIENT)).contains("query(select stock)" + BEGINS);
        }
    }

    final Connection connect() throws SQLException {
        return DriverManager.getConnection(url.replace(":" + server.port() + "/", ":" + proxy.port() + "/"));
    }

    final Connection connectDirectly() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** The names of all messages so far, without those that nobody counts. */
    final List<String> seen(Direction direction) {
        return seen.getOrDefault(direction, List.of()).stream()
                .filter(name -> !name.equals(PostgresFraming.NOISE))
                .toList();
    }

    private Trigger cut(Direction direction, String name) {
        return proxy.faults().at(direction, 1, name::equals, Moment.BEFORE, Fault.cut());
    }

    private List<Integer> stock() throws SQLException {
        try (Connection connection = connectDirectly()) {
            return numbers(connection);
        }
    }

    private static List<Integer> numbers(Connection connection) throws SQLException {
        List<Integer> numbers = new CopyOnWriteArrayList<>();
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("select n from stock")) {
            while (rows.next()) {
                numbers.add(rows.getInt(1));
            }
        }
        return numbers;
    }

    static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            for (String statement : statements) {
                sql.execute(statement);
            }
        }
    }
}
