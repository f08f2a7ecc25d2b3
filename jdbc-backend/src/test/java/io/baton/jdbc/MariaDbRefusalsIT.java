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
import io.baton.testkit.database.LocalDatabase;
import io.baton.testkit.database.MariaDbExtension;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
class MariaDbRefusalsIT extends RefusalsContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    LocalDatabase server() {
        return mariadb.server();
    }

    @Override
    String uri() {
        return mariadb.uri();
    }

    @Override
    SqlDialect dialect() {
        return new MariaDbDialect(false);
    }

    @Override
    String identifiedBy() {
        return "identified by";
    }

    @Override
    String grant(String rights, String user) {
        return "grant " + rights + " on " + database() + ".* to " + user;
    }

    @Override
    List<String> stranger(String user) {
        return List.of("create user " + user);
    }

    @Override
    String readOnly(boolean begins) {
        return "set global read_only = " + (begins ? 1 : 0);
    }

    @Test
    void connect_noDatabaseIsNamed_saysSo() {
        refused(uri().replace("/" + database() + "?", "/?"), "no place for Baton's tables", "name a database");
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
