package io.baton.cli.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.Captured;
import io.baton.cli.TestStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CounterCommandIT {

    private TestStore store;

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
    }

    @BeforeAll
    void startServer() {
        store = start();
    }

    @AfterAll
    void stopServer() {
        store.close();
    }

    @Test
    void counter_addedToAndSet_printsTheNumber() {
        assertThat(run("visits").out()).isEqualTo("0\n");
        assertThat(run("--add", "5", "visits").out()).isEqualTo("5\n");
        assertThat(run("--add=-7", "visits").out()).isEqualTo("-2\n");
        assertThat(run("--set", "10", "--expected=-2", "visits").out()).isEqualTo("10\n");
        assertThat(run("--json", "visits").out()).isEqualTo("{\"value\":10,\"changed\":false}\n");

        Captured other = run("--set", "11", "--expected", "9", "visits");
        assertThat(other.status()).isEqualTo(75);
        assertThat(other.err()).isEqualTo("baton: 'visits' is 10, not 9: nothing was changed\n");
    }

    @Test
    void addOnce_repeated_countsOnce() {
        assertThat(run("--add", "1", "--once", "order-7", "orders").out()).isEqualTo("1\n");
        Captured again = run("--add", "1", "--once", "order-7", "orders");
        assertThat(again.status()).isZero();
        assertThat(again.out()).isEqualTo("1  (order-7 had been counted)\n");
        assertThat(run("--add", "1", "--once", "order-7", "--json", "orders").out())
                .isEqualTo("{\"value\":1,\"changed\":false}\n");
    }

    private Captured run(String... args) {
        var line = new ArrayList<>(List.of("counter"));
        line.addAll(List.of(args));
        line.addAll(List.of("--connect", store.uri("cli")));
        return Captured.run(line.toArray(String[]::new));
    }
}
