package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.StoreUnavailableException;
import io.baton.cli.Exit;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigStore;
import io.baton.memory.MemoryStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is printed of what was written, also if the store answers no more, or another client was first. */
@Timeout(120)
class WrittenTest {

    private final StringWriter printed = new StringWriter();
    private final PrintWriter out = new PrintWriter(printed, true);
    private Coordinator baton;
    private ConfigStore store;

    @BeforeEach
    void open() throws InterruptedException {
        MemoryStore.drop("written");
        baton = Coordinator.connect("mem:written");
        store = ConfigStore.of(baton);
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop("written");
    }

    private ConfigEdit edit() {
        return store.edit().timeout(Duration.ofSeconds(100));
    }

    private ConfigStore silent() {
        return CalledStore.before(
                List.of("change", "history", "fleet"),
                () -> {
                    throw new StoreUnavailableException("no contact");
                },
                store);
    }

    @Test
    void print_historyCannotBeRead_tellsNumberAndRevision() throws InterruptedException {
        ConfigCommit commit = edit().put("a", "1").commit();

        Written.print(out, false, silent(), commit);
        Written.print(out, true, silent(), commit);

        assertThat(printed.toString().lines())
                .containsExactly(
                        "change 1, revision " + commit.revision(),
                        "{\"change\":1,\"revision\":" + commit.revision() + ",\"changes\":null}");
    }

    @Test
    void canary_fleetCannotBeRead_isToldWithItsId() throws InterruptedException {
        Canary begun = edit().put("a", "1").canary(Map.of(), 20);
        CanaryOptions options = new CanaryOptions();

        assertThat(options.goOn(out, false, silent(), begun)).isEqualTo(Exit.OK);
        assertThat(options.goOn(out, true, silent(), begun)).isEqualTo(Exit.OK);

        assertThat(printed.toString().lines())
                .satisfiesExactly(
                        head -> assertThat(head).startsWith("canary " + begun.id() + " by "),
                        change -> assertThat(change).isEqualTo("    a: (none) -> 1"),
                        json -> assertThat(json)
                                .startsWith("{\"id\":\"" + begun.id() + "\"")
                                .contains("\"running\":null,\"objections\":null,\"changes\":[{\"key\":\"a\""));
    }

    @Test
    void commit_anotherWritesTheSameFirst_isNothingToChange() throws InterruptedException {
        ConfigEdit edit = edit().put("a", "1");
        ConfigEdit same = edit().put("a", "1");
        assertThat(edit.preview().changes()).hasSize(1);
        same.commit();

        Written.commit(out, false, store, edit);
        Written.commit(out, true, store, edit);

        assertThat(printed.toString().lines()).containsExactly("nothing to change", "{\"changes\":[]}");
        assertThat(Written.unlessWritten(edit, () -> edit.canary(Map.of(), 20))).isEmpty();
        assertThat(store.history(5)).hasSize(1);
    }

    @Test
    void commit_refusedForAnotherReason_fails() throws InterruptedException {
        Canary standing = edit().put("b", "1").canary(Map.of(), 20);
        ConfigEdit expecting = edit().put("a", "1").expect("a", 7);

        assertThatThrownBy(() -> Written.commit(out, false, store, expecting))
                .isInstanceOf(ConfigConflictException.class);
        assertThatThrownBy(() -> Written.unlessWritten(
                        edit().put("a", "1"), () -> edit().put("a", "1").canary(Map.of(), 20)))
                .isInstanceOf(ConfigConflictException.class)
                .hasMessageContaining(standing.id());
        assertThat(printed.toString()).isEmpty();
    }
}
