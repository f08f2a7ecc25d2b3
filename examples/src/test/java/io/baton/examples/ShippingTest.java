package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ShippingTest {

    @Test
    void ship_onceAfterTheOther_bothShip() throws InterruptedException {
        var warehouse = new Warehouse();
        Shipping.ship("mem:shipping", warehouse, "first");
        Shipping.ship("mem:shipping", warehouse, "second");
        assertThat(warehouse.shipped()).containsExactly("first", "second");
    }

    @Test
    void warehouse_smallerTokenThanSeen_refuses() {
        var warehouse = new Warehouse();
        warehouse.ship("new", 12);
        assertThatThrownBy(() -> warehouse.ship("late", 11)).isInstanceOf(IllegalStateException.class);
        assertThat(warehouse.shipped()).containsExactly("new");
    }
}
