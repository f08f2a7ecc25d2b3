package io.baton.cli.latch;

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
class LatchCommandIT {

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
    void latch_openedAndCountedDown_isReleased() {
        assertThat(run("migrated").out()).isEqualTo("round 1: not open\n");
        assertRefused(run("--count-down", "a", "migrated"), "latch 'migrated' is not open in round 1");
        assertThat(run("--open", "2", "migrated").out()).isEqualTo("round 1: 0 of 2 have counted down\n");
        assertThat(run("--open", "2", "migrated").status()).isZero();
        assertRefused(run("--open", "3", "migrated"), "open for 2 to count down");
        assertThat(run("--count-down", "a", "migrated").out()).isEqualTo("round 1: 1 of 2 have counted down: a\n");
        assertThat(run("--count-down", "a", "--json", "migrated").out())
                .isEqualTo("{\"round\":1,\"count\":2,\"counted\":[\"a\"],\"released\":false,\"changed\":false}\n");
        assertRefused(run("--await", "50ms", "migrated"), "latch 'migrated' was not released in time; round 1: 1 of 2");

        run("--count-down", "b", "migrated");

        assertThat(run("--await", "30s", "migrated").out())
                .isEqualTo("round 1: released, 2 of 2 have counted down: a, b\n");
        assertThat(run("--reset", "--json", "migrated").out())
                .isEqualTo("{\"round\":2,\"count\":0,\"counted\":[],\"released\":false,\"changed\":true}\n");
    }

    private static void assertRefused(Captured ended, String why) {
        assertThat(ended.status()).isEqualTo(75);
        assertThat(ended.err()).startsWith("baton: ").contains(why);
    }

    private Captured run(String... args) {
        var line = new ArrayList<>(List.of("latch"));
        line.addAll(List.of(args));
        line.addAll(List.of("--connect", store.uri("cli")));
        return Captured.run(line.toArray(String[]::new));
    }
}
