package io.baton.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.chaos.history.FencingToken;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientArgumentsTest {

    @Test
    void words_ofArguments_tellThemAgain() {
        ClientArguments arguments = new ClientArguments(
                "p1.1", "zk://127.0.0.1:1/chaos?tick=200ms", Duration.ofSeconds(4), 4, 3, -7, Path.of("a", "p1.1"));

        assertThat(ClientArguments.of(arguments.words().toArray(String[]::new))).isEqualTo(arguments);
    }

    @Test
    void text_ofACounter_tellsItAgain() {
        for (CounterValue counter : new CounterValue[] {
            CounterValue.NONE,
            new CounterValue(7, new FencingToken(1L << 40, 0), "p1.1.2/3"),
            new CounterValue(8, new FencingToken(1L << 40, 2), "p1.1.3/1")
        }) {
            assertThat(CounterValue.parse(counter.text())).isEqualTo(counter);
        }
    }

    @Test
    void names_ofAFewLocks_areThoseOfTheWholeFamily() {
        assertThat(new LockNames(6).semaphores())
                .containsEntry("semaphore-1", 3)
                .containsEntry("semaphore-2", 5)
                .containsEntry("semaphore-3", 4);
        assertThat(new LockNames(1).all())
                .containsExactly(
                        "lock-1",
                        "cohort-1",
                        "cohort-2",
                        "delay-after-loss",
                        "hold-at-least",
                        "read-write-1",
                        "semaphore-1");
    }
}
