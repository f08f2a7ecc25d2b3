package io.baton.config.internal.active;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.KeyChange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a listener of a binding is told where several changes become one call. */
class ValueDeltaTest {

    private static KeyChange change(String key, String before, String now, boolean secret) {
        return new KeyChange(key, Optional.of(before), Optional.of(now), secret);
    }

    private static KeyChange change(String key, String before, String now) {
        return change(key, before, now, false);
    }

    private static ValueDelta<Integer> delta(int before, int now, KeyChange... changes) {
        return new ValueDelta<>(Optional.of(before), now, List.of(changes));
    }

    @Test
    void then_samePath_isOneChangeFromTheFirstToTheLast() {
        ValueDelta<Integer> both = delta(1, 2, change("a", "1", "2"), change("b", "1", "2"))
                .then(delta(2, 3, change("a", "2", "3"), change("c", "1", "2")));

        assertThat(both).isEqualTo(delta(1, 3, change("a", "1", "3"), change("b", "1", "2"), change("c", "1", "2")));
    }

    @Test
    void then_backToWhatItWas_isLeftOut() {
        ValueDelta<Integer> both = delta(1, 2, change("a", "1", "2")).then(delta(2, 1, change("a", "2", "1")));

        assertThat(both.changes()).isEmpty();
        assertThat(both.isNothing()).isTrue();
    }

    @Test
    void then_secretInOneOfThem_isSecret() {
        assertThat(delta(1, 2, change("a", "1", "2", true))
                        .then(delta(2, 3, change("a", "2", "3")))
                        .changes())
                .containsExactly(change("a", "1", "3", true));
        assertThat(delta(1, 2, change("a", "1", "2"))
                        .then(delta(2, 3, change("a", "2", "3", true)))
                        .changes())
                .containsExactly(change("a", "1", "3", true));
        assertThat(delta(1, 2, change("a", "1", "2"))
                        .then(delta(2, 3, change("a", "2", "3")))
                        .changes())
                .containsExactly(change("a", "1", "3", false));
    }

    @Test
    void then_afterTheFirst_staysTheFirst() {
        ValueDelta<Integer> first = new ValueDelta<>(Optional.empty(), 1, List.of());

        assertThat(first.then(delta(1, 2, change("a", "1", "2"))))
                .isEqualTo(new ValueDelta<>(Optional.empty(), 2, List.of()));
    }

    @Test
    void isNothing_noChanges_onlyIfItIsNotTheFirst() {
        assertThat(delta(1, 1).isNothing()).isTrue();
        assertThat(delta(1, 2, change("a", "1", "2")).isNothing()).isFalse();
        assertThat(new ValueDelta<>(Optional.empty(), 1, List.of()).isNothing()).isFalse();
    }
}
