package io.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.internal.HandLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReconnectTasksTest {

    private final List<String> ran = new ArrayList<>();
    private final ReconnectTasks tasks = new ReconnectTasks(new HandLoop(), () -> false);

    @Test
    void runAll_aTaskThrows_othersRunAndTheFailureIsThrown() {
        tasks.add(() -> true, () -> {
            throw new IllegalStateException("broken");
        });
        tasks.add(() -> false, () -> ran.add("not wanted"));
        tasks.add(() -> true, () -> ran.add("wanted"));

        assertThatThrownBy(tasks::runAll).hasMessage("broken");

        assertThat(ran).containsExactly("wanted");
        assertThat(tasks.size()).isZero();
    }

    @Test
    void add_earlierOnesAreNotWantedAnyMore_theyDoNotPileUp() {
        for (int i = 0; i < 10_000; i++) {
            tasks.add(() -> false, () -> {});
        }

        assertThat(tasks.size()).isLessThan(1_000);
    }
}
