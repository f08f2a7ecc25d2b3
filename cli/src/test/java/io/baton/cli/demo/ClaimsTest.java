package io.baton.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClaimsTest {

    private final Claims claims = new Claims();

    @Test
    void hold_allTrue_isTrue() {
        claims.check("a", true, "seen");
        claims.check("b", true, "seen");
        assertThat(claims.hold()).isTrue();
    }

    @Test
    void hold_oneFalse_isFalse() {
        claims.check("a", true, "seen");
        claims.check("b", false, "seen");
        assertThat(claims.hold()).isFalse();
    }

    @Test
    void hold_nothingClaimed_isFalse() {
        assertThat(claims.hold()).isFalse();
    }
}
