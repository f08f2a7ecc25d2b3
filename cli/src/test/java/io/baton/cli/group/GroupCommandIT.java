package io.baton.cli.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.cli.Captured;
import io.baton.cli.TestStore;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMembership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupCommandIT {

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
    void group_withAMember_printsWhatItSays() throws InterruptedException {
        assertThat(run("workers").out()).isEqualTo("no members\n");
        assertThat(run("--json", "workers").out()).isEqualTo("{\"members\":[]}\n");

        try (Coordinator baton = Coordinator.connect(store.uri("cli"));
                GroupMembership member = Group.named(baton, "workers").join("10.0.0.7:8080")) {
            assertThat(member.awaitJoined(Duration.ofSeconds(30))).isTrue();
            Captured shown = run("workers");
            assertThat(shown.status()).isZero();
            assertThat(shown.out().lines()).hasSize(2);
            assertThat(shown.out()).contains("MEMBER").contains(member.id()).contains("10.0.0.7:8080");
            assertThat(run("--json", "workers").out())
                    .startsWith("{\"members\":[{\"id\":\"" + member.id() + "\",\"data\":\"10.0.0.7:8080\",")
                    .endsWith("\"pid\":" + ProcessHandle.current().pid() + "}]}\n");
        }
        assertThat(run("workers").out()).isEqualTo("no members\n");
    }

    private Captured run(String... args) {
        var line = new ArrayList<>(List.of("group"));
        line.addAll(List.of(args));
        line.addAll(List.of("--connect", store.uri("cli")));
        return Captured.run(line.toArray(String[]::new));
    }
}
