package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.kernel.StepWire.Standing;
import io.baton.testkit.database.MariaDbExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("mariadb")
class MariaDbWireIT extends WireContract {

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    @Override
    String uri() {
        return mariadb.uri();
    }

    @Override
    void crash() {
        mariadb.server().kill();
        mariadb.server().restart();
    }

    @Override
    List<String> slowDown(String table) {
        return List.of("create trigger dawdle before update on " + table + " for each row do sleep(0.4)");
    }

    @Override
    String speedUp(String table) {
        return "drop trigger dawdle";
    }

    @Test
    void hint_comesOnceTheEntryHasLeft() throws Exception {
        WireClient owner = client();
        Standing entry = owner.join(LINE);
        try (Connection waiting = DriverManager.getConnection(uri())) {
            waiting.setAutoCommit(false);
            assertThat(hinted(waiting, entry, Duration.ZERO)).isFalse();
            assertThat(owner.leave(LINE, entry).busy()).isEmpty();
            assertThat(hinted(waiting, entry, Duration.ofSeconds(60))).isTrue();
            // Whoever had the hint does not keep it.
            try (Connection another = DriverManager.getConnection(uri())) {
                another.setAutoCommit(false);
                assertThat(hinted(another, entry, Duration.ZERO)).isTrue();
            }
        }
    }

    @Test
    void hint_ofAnOwnerOnAnotherConnection_isMissed_andTheNextIsClearedAllTheSame() {
        WireClient owner = client();
        WireClient next = client();
        Standing entry = owner.join(LINE);
        Standing waiting = next.join(LINE);
        assertThat(owner.attach(false).own()).extracting(Standing::name).containsExactly(entry.name());
        assertThat(owner.leave(LINE, entry).busy()).isEmpty();
        eventually(() -> assertThat(next.events).contains("cleared " + waiting.name() + " " + waiting.token()));
    }

    private boolean hinted(Connection connection, Standing entry, Duration most) throws SQLException {
        return new StoreSteps(new MariaDbDialect(false), "other", WireClient.TTL, "test")
                .look(connection, List.of(), List.of(), Optional.empty(), Optional.of(entry.name()), most)
                .hinted();
    }
}
