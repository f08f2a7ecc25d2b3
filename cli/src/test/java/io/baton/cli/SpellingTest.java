package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {

    private static final List<String> COMMANDS =
            List.of("lock", "queue", "elect", "config", "completion", "set", "get");

    @Test
    void like_oneSlip_isWhatWasMeant() {
        assertThat(Spelling.like("lcok", COMMANDS)).containsExactly("lock");
        assertThat(Spelling.like("lok", COMMANDS)).containsExactly("lock");
        assertThat(Spelling.like("lockk", COMMANDS)).containsExactly("lock");
        assertThat(Spelling.like("lick", COMMANDS)).containsExactly("lock");
        assertThat(Spelling.like("sett", COMMANDS)).containsExactly("set");
        assertThat(Spelling.like("completoin", COMMANDS)).containsExactly("completion");
    }

    @Test
    void like_equallyNear_areAll() {
        assertThat(Spelling.like("bet", COMMANDS)).containsExactly("set", "get");
    }

    @Test
    void like_farFromAll_isNone() {
        assertThat(Spelling.like("frobnicate", COMMANDS)).isEmpty();
        assertThat(Spelling.like("x".repeat(100_000), COMMANDS)).isEmpty();
        assertThat(Spelling.like("lock", List.of())).isEmpty();
        assertThat(Spelling.like("-t", List.of("-h"))).isEmpty();
        assertThat(Spelling.like("", COMMANDS)).isEmpty();
    }

    @Test
    void distance_ofSlips_countsThem() {
        assertThat(Spelling.distance("lock", "lock")).isZero();
        assertThat(Spelling.distance("", "lock")).isEqualTo(4);
        assertThat(Spelling.distance("lock", "")).isEqualTo(4);
        assertThat(Spelling.distance("lcko", "lock")).isEqualTo(2);
        assertThat(Spelling.distance("ab", "ba")).isOne();
    }
}
