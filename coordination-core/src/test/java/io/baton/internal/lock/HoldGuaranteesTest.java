package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.LockOptions;
import io.baton.MultiHold;
import io.baton.WriteHold;
import io.baton.memory.MemoryStore;
import io.baton.spi.Guarantees;
import io.baton.spi.Guarantees.Exclusion;
import io.baton.spi.Guarantees.Survival;
import io.baton.spi.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HoldGuaranteesTest {

    private static final String STORE = "hold-guarantees-test";
    private static final Guarantees LOSSY = new Guarantees(
            Survival.LATEST_MAY_BE_LOST,
            Exclusion.MAY_OVERLAP_UNTIL_DEADLINE,
            Duration.ZERO,
            100,
            100_000,
            Duration.ofSeconds(1));

    @AfterEach
    void drop() {
        MemoryStore.drop(STORE);
    }

    /** A store in memory that promises less. */
    private static Store lossy() {
        MemoryStore store = MemoryStore.named(STORE);
        return (Store) Proxy.newProxyInstance(
                HoldGuaranteesTest.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) ->
                        method.getName().equals("guarantees") ? LOSSY : method.invoke(store, arguments));
    }

    @Test
    void guarantees_holdsOfAllKinds_areTheStores() throws Exception {
        LockOptions linger = LockOptions.builder().linger(Duration.ofSeconds(1)).build();
        CoordinatorOptions detecting =
                CoordinatorOptions.builder().leakDetection(true).build();
        for (CoordinatorOptions options : List.of(CoordinatorOptions.defaults(), detecting)) {
            try (Coordinator baton = Coordinator.connect(lossy(), options);
                    Hold mutex = baton.lock("a").acquire();
                    Hold lingering = baton.lock("b", linger).acquireAsync().get(30, TimeUnit.SECONDS);
                    WriteHold writer = baton.readWriteLock("c").write().acquire();
                    Hold permits = baton.semaphore("d", 3).acquire(2);
                    MultiHold several = baton.multiLock(List.of("e", "f")).acquire()) {
                assertThat(List.of(
                                mutex.guarantees(),
                                lingering.guarantees(),
                                writer.guarantees(),
                                writer.downgrade().guarantees(),
                                permits.guarantees(),
                                several.guarantees()))
                        .containsOnly(LOSSY);
            }
        }
    }
}
