package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.config.Canary;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigException;
import io.baton.config.ConfigStore;
import io.baton.config.LiveConfig;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A canary that another client ends between two calls of the command. */
@Timeout(120)
class CanaryMonitorTest {

    private Coordinator baton;
    private ConfigStore store;

    @BeforeEach
    void open() throws InterruptedException {
        MemoryStore.drop("canary-monitor");
        baton = Coordinator.connect("mem:canary-monitor");
        store = ConfigStore.of(baton);
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop("canary-monitor");
    }

    private ConfigEdit edit() {
        return store.edit().timeout(Duration.ofSeconds(100));
    }

    private Canary begin() throws InterruptedException {
        return edit().put("a", "1").canary(Map.of(), 100);
    }

    /** The store, in which another client ends the canary right before this call. */
    private ConfigStore endedBefore(String call, Canary canary) {
        return CalledStore.before(List.of(call), () -> store.abort(canary.id()), store);
    }

    private static void isOver(Canary canary, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.CONFLICT))
                .hasMessageContaining("canary " + canary.id() + " is over");
    }

    @Test
    void run_endedRightBeforeThePromotion_isAConflict() throws InterruptedException {
        LiveConfig web = LiveConfig.builder(baton).instance("web").open();
        await().until(() -> store.fleet().size() == 1);
        Canary canary = begin();

        isOver(canary, () -> new CanaryMonitor(endedBefore("promote", canary), canary).run(Duration.ofMillis(1)));
        web.close();
    }

    @Test
    void run_endedRightBeforeItIsTakenBack_isAConflict() throws InterruptedException {
        Canary canary = begin();

        isOver(canary, () -> new CanaryMonitor(endedBefore("abort", canary), canary).run(Duration.ofMillis(1)));
    }

    @Test
    void overOr_stillThere_isWhatTheStoreSays() throws InterruptedException {
        Canary canary = begin();
        ConfigException refused = new ConfigException("refused");

        assertThat(CanaryMonitor.overOr(store, canary.id(), refused)).isSameAs(refused);
        store.abort(canary.id());
        isOver(canary, () -> {
            throw CanaryMonitor.overOr(store, canary.id(), refused);
        });
    }
}
