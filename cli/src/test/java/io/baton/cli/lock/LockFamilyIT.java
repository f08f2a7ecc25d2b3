package io.baton.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.cli.BatonProcess;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Read/write locks, permits, and several locks at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockFamilyIT {

    @TempDir
    Path directory;

    private RunFixture fixture;
    private TestStore store;

    @BeforeAll
    void startServer() {
        store = TestStore.zookeeper();
    }

    @AfterAll
    void stopServer() {
        store.close();
    }

    @BeforeEach
    void fixture() {
        fixture = new RunFixture(store, directory);
    }

    @Test
    void lock_besideAReader_isGrantedIfShared() throws Exception {
        try (Coordinator other = fixture.connect();
                Hold reader = other.readWriteLock("prices").read().acquire();
                BatonProcess shared = fixture.lock("--try", "--shared", "prices", "--", "echo", "ran");
                BatonProcess alone = fixture.lock("--try", "--exclusive", "prices", "--", "echo", "ran")) {
            assertThat(shared.status()).as(shared.err()).isZero();
            assertThat(shared.out()).isEqualTo("ran\n");
            assertThat(alone.status()).isEqualTo(75);
            assertThat(alone.err()).isEqualTo("baton: 'prices' is taken, and --try does not wait\n");
            assertThat(reader.remaining()).isPositive();
        }
    }

    @Test
    void lock_severalNames_tellsAllNamesAndTokensInOrder() throws Exception {
        Path status = directory.resolve("status");
        String work = "echo \"$BATON_NAME\"; echo \"$BATON_FENCING_TOKEN\"";
        try (BatonProcess baton =
                fixture.lock("--status-file", status.toString(), "stock", "orders", "--", "sh", "-c", work)) {
            assertThat(baton.status()).as(baton.err()).isZero();
            List<String> lines = baton.out().lines().toList();
            assertThat(lines).hasSize(3).startsWith("stock", "orders");
            assertThat(lines.get(2)).matches("\\d+ \\d+");
            String[] tokens = lines.get(2).split(" ");
            // They are acquired in the order of their names.
            assertThat(Long.parseLong(tokens[0])).isGreaterThan(Long.parseLong(tokens[1]));
            assertThat(status).content().contains("\ntoken=" + lines.get(2) + "\n");
        }
    }

    @Test
    void lock_oneOfSeveralIsLost_endsTheCommandAndSaysWhich() throws Exception {
        String work = "echo $$ >>\"$LOG\"; exec sleep 1000";
        try (BatonProcess baton = fixture.lock("stock", "lost", "--", "sh", "-c", work)) {
            String child = fixture.awaitLogged(1).get(0);
            ZooKeeper operator = new ZooKeeper(URI.create(fixture.uri()).getAuthority(), 10_000, event -> {});
            try {
                for (String entry : operator.getChildren("/cli/locks/lost", false)) {
                    operator.delete("/cli/locks/lost/" + entry, -1);
                }
            } finally {
                operator.close();
            }
            assertThat(baton.status()).isEqualTo(79);
            assertThat(baton.err())
                    .startsWith("baton: 'lost' was lost while the command ran")
                    .hasLineCount(1);
            RunFixture.awaitGone(child);
        }
    }
}
