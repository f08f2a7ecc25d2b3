package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.Hold;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemindersTest {

    @Test
    void send_oneProcessAfterTheOther_bothSend() throws Exception {
        List<String> sent = new ArrayList<>();
        try (Coordinator here = Coordinator.connect("mem:reminders");
                Coordinator there = Coordinator.connect("mem:reminders")) {
            assertThat(Reminders.send(here, List.of("Ada", "Grace"), sent::add)).isTrue();
            assertThatThrownBy(() -> Reminders.send(there, List.of("Mary"), customer -> {
                        throw new IOException("no such address: " + customer);
                    }))
                    .isInstanceOf(IOException.class);
            assertThat(Reminders.send(here, List.of("Mary"), sent::add)).isTrue();
        }
        assertThat(sent).containsExactly("Ada", "Grace", "Mary");
    }

    @Test
    void send_anotherProcessHasTheLock_sendsNothing() throws Exception {
        List<String> sent = new ArrayList<>();
        try (Coordinator here = Coordinator.connect("mem:reminders-taken");
                Coordinator there = Coordinator.connect("mem:reminders-taken");
                Hold busy = there.lock("reminders").acquire()) {
            assertThat(busy.name()).isEqualTo("reminders");
            assertThat(Reminders.send(here, List.of("Ada"), sent::add)).isFalse();
        }
        assertThat(sent).isEmpty();
    }
}
