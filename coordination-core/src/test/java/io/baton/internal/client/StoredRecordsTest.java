package io.baton.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Item;
import io.baton.Op;
import io.baton.Records;
import io.baton.StoreUnavailableException;
import io.baton.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoredRecordsTest {

    private static final String STORE = "stored-records-test";

    private final MemoryStore store = MemoryStore.named(STORE);
    private Coordinator baton;
    private Records shop;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = Coordinator.connect(
                "mem:" + STORE,
                CoordinatorOptions.builder()
                        .requestTimeout(Duration.ofMillis(200))
                        .build());
        shop = baton.records("shop");
    }

    @AfterEach
    void drop() {
        store.resume();
        baton.close();
        MemoryStore.drop(STORE);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void put_thenGet_givesTheValue() throws InterruptedException {
        assertThat(shop.get("stock/red")).isEmpty();
        shop.put("stock/red", bytes("7"));

        Item item = shop.get("stock/red").orElseThrow();
        assertThat(item.text()).isEqualTo("7");
        assertThat(item.key()).isEqualTo(shop.key("stock/red"));
    }

    @Test
    void compareAndSet_unchangedOrNot_writesOrDoesNot() throws InterruptedException {
        shop.put("stock", bytes("7"));
        Item read = shop.get("stock").orElseThrow();

        assertThat(shop.compareAndSet(read, bytes("6"))).isTrue();
        assertThat(shop.compareAndSet(read, bytes("5"))).isFalse();
        assertThat(shop.get("stock").orElseThrow().text()).isEqualTo("6");
        assertThatThrownBy(() -> baton.records("other").compareAndSet(read, bytes("1")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void create_thereOrNot_writesOnceOnly() throws InterruptedException {
        assertThat(shop.create("stock", bytes("7"))).isTrue();
        assertThat(shop.create("stock", bytes("8"))).isFalse();

        shop.delete("stock");
        shop.delete("stock");

        assertThat(shop.get("stock")).isEmpty();
    }

    @Test
    void get_storeOutOfReach_saysWhatWasNotAnswered() {
        store.suspend();

        assertThatThrownBy(() -> shop.get("stock"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("shop/stock", "200 ms");
    }

    @Test
    void list_storeOutOfReach_saysWhatWasNotAnswered() {
        store.suspend();

        assertThatThrownBy(() -> shop.list(""))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("all of shop", "200 ms");
    }

    @Test
    void list_someRecords_areThoseOfThePrefix() throws InterruptedException {
        shop.put("stock/red", "7");
        shop.put("stock/blue", "8");
        shop.put("sold", "1");

        SortedMap<String, Item> stock = shop.list("stock/");

        assertThat(stock.keySet()).containsExactly("stock/blue", "stock/red");
        assertThat(stock.get("stock/red").text()).isEqualTo("7");
        assertThatThrownBy(stock::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void transact_guardsHoldOrNot_appliesAllOrNothing() throws InterruptedException {
        try (Hold hold = baton.lock("orders").acquire()) {
            shop.put("stock", bytes("7"));
            Item read = shop.get("stock").orElseThrow();
            List<Op> sale = List.of(Op.put(shop.key("stock"), "6"), Op.put(shop.key("sold"), "1"));

            assertThat(baton.transact(List.of(Guard.held(hold), Guard.unchanged(read)), sale))
                    .isTrue();
            assertThat(baton.transact(List.of(Guard.held(hold), Guard.unchanged(read)), sale))
                    .isFalse();
            assertThat(baton.transact(List.of(Guard.absent(shop.key("sold"))), List.of(Op.delete(shop.key("stock")))))
                    .isFalse();
            assertThat(shop.get("stock").orElseThrow().text()).isEqualTo("6");
        }
    }
}
