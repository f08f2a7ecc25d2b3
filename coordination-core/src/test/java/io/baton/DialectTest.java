package io.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DialectTest {

    @Test
    void dialect_sameName_isEqual() {
        assertThat(new Dialect("baton")).isEqualTo(Dialect.BATON).hasToString("baton");
    }

    @Test
    void dialect_nameEmptyOrNotInLowerCase_isRefused() {
        for (String name : new String[] {"", " ", "Curator", " kazoo"}) {
            assertThatThrownBy(() -> new Dialect(name))
                    .as("'%s'", name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lower case");
        }
    }
}
