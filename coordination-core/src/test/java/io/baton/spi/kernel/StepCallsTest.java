package io.baton.spi.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Telemetry.Request.Kind;
import io.baton.internal.HandLoop;
import io.baton.spi.kernel.StepWire.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Steps whose listener throws each time that it is told of one. */
class StepCallsTest {

    private final List<String> told = new ArrayList<>();
    private final StepCalls calls = new StepCalls(new HandLoop(), Optional.of((kind, outcome, nanos) -> {
        throw new IllegalStateException("on purpose");
    }));

    @Test
    void contactBroken_listenerThrows_eachStepHearsOfIt() {
        expect("first");
        expect("second");

        assertThatThrownBy(calls::contactBroken).hasMessage("on purpose");

        assertThat(told).containsExactly("first broken", "second broken");
    }

    @Test
    void answered_listenerThrows_theStepHasItsAnswer() {
        Reply<String> reply = expect("first");

        assertThatThrownBy(() -> reply.answered("yes")).hasMessage("on purpose");

        assertThat(told).containsExactly("first yes");
    }

    private Reply<String> expect(String name) {
        return calls.expect(
                Kind.CREATE,
                answer -> told.add(name + " " + answer),
                why -> told.add(name + " refused"),
                () -> told.add(name + " broken"));
    }
}
