package io.baton.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SalesTest {

    private final Sales sales = new Sales();

    @Test
    void astray_everySaleSawTheOneBefore_isZero() {
        sales.add("ben", 12, 8);
        sales.add("ada", 11, 9);
        sales.add("ada", 20, 7);
        assertThat(sales.astray(10)).isZero();
        assertThat(sales.count()).isEqualTo(3);
        assertThat(sales.of("ada")).isEqualTo(2);
        assertThat(sales.span()).isEqualTo("11 to 20");
    }

    @Test
    void astray_lostUpdate_isCounted() {
        sales.add("ada", 11, 9);
        sales.add("ben", 12, 9);
        assertThat(sales.astray(10)).isEqualTo(1);
    }

    @Test
    void astray_tokenUsedTwice_isCounted() {
        sales.add("ada", 11, 9);
        sales.add("ben", 11, 8);
        assertThat(sales.astray(10)).isEqualTo(1);
    }

    @Test
    void astray_orderAgainstTheTokens_isCounted() {
        sales.add("ada", 12, 9);
        sales.add("ben", 11, 8);
        assertThat(sales.astray(10)).isPositive();
    }
}
