package io.baton.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.MultiHold;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StripedLocksTest {

    private Coordinator baton;

    @BeforeEach
    void connect(TestInfo test) throws InterruptedException {
        baton = Coordinator.connect("mem:striped-" + test.getDisplayName());
    }

    @AfterEach
    void close() {
        baton.close();
    }

    /** Programs of different versions exclude each other: these values never change. */
    @Test
    void stripe_knownKeys_neverChanges() {
        Map<String, Integer> stripes = new HashMap<>();
        StripedLocks locks = StripedLocks.named(baton, "orders", 64);
        for (String key : List.of("", "a", "order-1", "order-2", "zürich", "東京")) {
            stripes.put(key, locks.stripe(key));
        }

        assertThat(stripes).isEqualTo(Map.of("", 0, "a", 9, "order-1", 25, "order-2", 11, "zürich", 49, "東京", 40));
        assertThat(StripedLocks.named(baton, "orders", 1_000).stripe("order-1")).isEqualTo(17);
        assertThat(StripedLocks.named(baton, "orders", Integer.MAX_VALUE).stripe("order-1"))
                .isEqualTo(1_435_735_793);
    }

    @Test
    void stripe_manyKeys_areSpreadEvenly() {
        StripedLocks locks = StripedLocks.named(baton, "orders", 16);
        int[] keys = new int[16];
        IntStream.range(0, 16_000).forEach(i -> keys[locks.stripe("key-" + i)]++);

        assertThat(IntStream.of(keys)).allMatch(number -> number > 850 && number < 1_150);
    }

    @Test
    void acquireAll_keysOfOneStripe_acquiresItOnce() throws InterruptedException {
        StripedLocks one = StripedLocks.named(baton, "orders", 1);

        try (MultiHold all = one.acquireAll(List.of("a", "b", "a"))) {
            assertThat(all.holds().keySet()).containsExactly("orders/0");
            assertThat(baton.lock("orders/0").tryAcquire()).isEmpty();
        }
    }

    @Test
    void forKey_key_isTheLockOfItsStripe() {
        StripedLocks locks = StripedLocks.named(baton, "orders", 64);

        assertThat(locks.forKey("order-1").name()).isEqualTo("orders/" + locks.stripe("order-1"));
        assertThat(locks.stripes()).isEqualTo(64);
        assertThat(locks.name()).isEqualTo("orders");
    }

    @Test
    void named_nonsense_isRefused() {
        assertThatThrownBy(() -> StripedLocks.named(baton, "orders", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one stripe, not 0");
        assertThatThrownBy(() -> StripedLocks.named(baton, "", 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not be empty");
        assertThatThrownBy(() -> StripedLocks.named(baton, "x".repeat(1_023), 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1024 UTF-8 bytes");
        StripedLocks locks = StripedLocks.named(baton, "x".repeat(1_022), 4);
        assertThatThrownBy(() -> locks.tryAcquireAll(List.of(), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no key");
    }
}
