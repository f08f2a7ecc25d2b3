package io.baton.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How an application's unit test takes away a lock from the code under test. */
class MemoryStoreExampleTest {

    @AfterEach
    void drop() {
        MemoryStore.drop("example");
    }

    @Test
    void expireSessions_holdOfTheCodeUnderTest_isLost() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:example");
                Hold hold = baton.lock("orders").acquire()) {
            CountDownLatch lost = new CountDownLatch(1);
            hold.onLost(lost::countDown);

            MemoryStore.named("example").expireSessions();

            assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
        }
    }

    @Test
    void removeEntry_holdOfTheCodeUnderTest_isLost() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:example");
                Hold hold = baton.lock("orders").acquire()) {
            CountDownLatch lost = new CountDownLatch(1);
            hold.onLost(lost::countDown);

            MemoryStore store = MemoryStore.named("example");
            store.removeEntry(store.peers("locks/orders").get(0));

            assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
        }
    }
}
