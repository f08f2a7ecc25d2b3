package io.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunAllTest {

    private final List<String> ran = new ArrayList<>();

    /** Java refuses to add an exception to itself. It throws some again and again: those of code that is often run. */
    @Test
    void all_severalThrowTheSameException_theOthersRunAndItIsThrown() {
        IllegalStateException same = new IllegalStateException("broken");
        Runnable broken = () -> {
            throw same;
        };

        assertThatThrownBy(() -> RunAll.all(broken, broken, () -> ran.add("last")))
                .isSameAs(same)
                .hasNoSuppressedExceptions();

        assertThat(ran).containsExactly("last");
    }

    @Test
    void all_severalThrow_theFirstIsThrownWithTheOthers() {
        IllegalStateException second = new IllegalStateException("second");

        assertThatThrownBy(() -> RunAll.all(
                        () -> {
                            throw new OutOfMemoryError("first");
                        },
                        () -> {
                            throw second;
                        }))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("first")
                .hasSuppressedException(second);
    }
}
