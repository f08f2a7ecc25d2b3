package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.database.MariaDbExtension;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What cannot work is refused, and said why. */
@Tag("mariadb")
class MariaDbRefusalsIT extends LossyServerContract {

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

    /** By default a message has 16 MiB, in which each value stands twice. The server ends the connection at a larger one. */
    @Test
    void transact_moreThanAMessageTakes_isRefusedAndNoHoldIsSuspended() throws Exception {
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(10)).build();
        try (Coordinator baton = Coordinator.connect(mariadb.uri(), options);
                Hold hold = baton.lock("account").acquire()) {
            List<HoldState> states = new CopyOnWriteArrayList<>();
            hold.onState(states::add);

            for (List<Op> large : List.of(puts(9, 'x'), puts(5, '\''))) {
                assertThatThrownBy(() -> baton.transact(List.of(), large))
                        .isInstanceOf(CoordinationException.class)
                        .isNotInstanceOf(OutcomeUnknownException.class)
                        .hasMessageContaining("max_allowed_packet is 16777216");
            }
            assertThat(baton.transact(List.of(), puts(8, 'x'))).isTrue();
            assertThat(baton.transact(List.of(), puts(4, '\''))).isTrue();

            assertThat(states).containsOnly(HoldState.HELD);
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    private static List<Op> puts(int count, char of) {
        byte[] value = new byte[LiveJdbcStore.MAX_BYTES];
        Arrays.fill(value, (byte) of);
        return IntStream.range(0, count)
                .<Op>mapToObj(i -> Op.put(new RecordKey("stock", "large-" + i), value))
                .toList();
    }
}
