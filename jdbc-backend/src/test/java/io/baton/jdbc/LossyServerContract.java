package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.StoreUnavailableException;
import io.baton.config.ConfigStore;
import io.baton.spi.Guarantees.Exclusion;
import io.baton.spi.Guarantees.Survival;
import io.baton.spi.Store;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Standing;
import java.lang.reflect.Proxy;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A server that may lose what it has acknowledged is refused, unless that is declared. */
abstract class LossyServerContract {

    private static final String DECLARED = "&baton.acknowledged=latest-may-be-lost";

    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofSeconds(60)).build();

    /** The address of the test's own database. */
    abstract String uri();

    /** Settings of the running server, each with a value by which it may lose what it acknowledges. */
    abstract Map<String, String> lossy();

    /** Sets them all, from the next connection on. */
    abstract void set(Map<String, String> settings) throws SQLException;

    /** Sets them back. */
    abstract void restore() throws SQLException;

    static void refused(String uri, String... words) {
        assertThatThrownBy(() -> Coordinator.connect(uri, PATIENT).close())
                .isInstanceOf(CoordinationException.class)
                .isNotInstanceOf(StoreUnavailableException.class) // at once, and not when the time to connect is over
                .satisfies(refused ->
                        assertThat(refused.toString() + refused.getCause()).contains(words));
    }

    @Test
    void connect_serverMayLoseWhatItAcknowledges_isRefusedWithTheSettingAndTheWaysOut() throws Exception {
        for (Map.Entry<String, String> each : lossy().entrySet()) {
            set(Map.ofEntries(each));
            try {
                refused(uri(), each.getKey() + " is " + each.getValue() + ": change that", DECLARED.substring(1));
            } finally {
                restore();
            }
        }
        Coordinator.connect(uri(), PATIENT).close();
    }

    @Test
    void connect_lossIsDeclared_isTakenByRecipesThatAcceptItAndByNoOthers() throws Exception {
        set(lossy());
        try (Coordinator wary = Coordinator.connect(uri() + DECLARED, PATIENT);
                Coordinator bold = Coordinator.connect(
                        declared(),
                        CoordinatorOptions.builder().acceptLoss(true).build());
                Hold hold = wary.lock("account").acquire()) {
            assertThat(hold.guarantees().acknowledged()).isEqualTo(Survival.LATEST_MAY_BE_LOST);
            assertThat(hold.guarantees().failOver()).isEqualTo(Exclusion.MAY_OVERLAP_UNTIL_DEADLINE);
            assertThatThrownBy(() -> ConfigStore.of(wary))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("acceptLoss(true)");
            ConfigStore.of(bold).edit().put("timeout", "5s").commit();
        } finally {
            restore();
        }
    }

    private Store declared() {
        DataSource source = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> DriverManager.getConnection(uri()));
        return JdbcStore.builder(source).latestMayBeLost().build();
    }

    /** Its holds were granted under another guarantee. The setting may be back before they are over. */
    @Test
    void attach_serverMayLoseByNow_hasNoContactUntilItIsSetBack() throws Exception {
        Map<String, String> one = Map.ofEntries(lossy().entrySet().iterator().next());
        try (WireClient client = WireClient.attached(uri())) {
            Standing entry = client.join(WireContract.LINE);
            set(one);
            try {
                CompletableFuture<Attached> unanswered =
                        client.send(reply -> client.wire().attach(false, 0, reply));

                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(client.events)
                                .singleElement()
                                .asString()
                                .startsWith("disconnected: ")
                                .contains(one.keySet()));
                assertThat(unanswered).isNotDone();
            } finally {
                restore();
            }
            assertThat(client.attach(false).own()).extracting(Standing::name).containsExactly(entry.name());
        }
    }
}
