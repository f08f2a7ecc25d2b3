package io.baton.cli.demo;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.cli.Captured;
import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.database.LocalPostgres;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same story on databases. */
@Tag("long")
class JdbcDemoIT {

    @TempDir
    Path directory;

    @Test
    @Tag("postgres")
    void demo_onPostgres_provesEveryClaimAndLeavesNothing() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start()) {
            provesEveryClaim(postgres.uri("/demo"));
        }
    }

    @Test
    @Tag("mariadb")
    void demo_onMariaDb_provesEveryClaimAndLeavesNothing() throws Exception {
        try (LocalMariaDb mariadb = LocalMariaDb.start()) {
            provesEveryClaim(mariadb.uri("/demo"));
        }
    }

    private void provesEveryClaim(String uri) throws Exception {
        DemoIT.provesEveryClaim(directory, List.of("demo", "--connect", uri, "--ttl", "3s"));
        // Each client ends the sessions of killed ones.
        try (Coordinator baton = Coordinator.connect(uri)) {
            assertThat(baton.ttl()).isPositive();
            await().atMost(30, SECONDS)
                    .untilAsserted(() -> assertThat(
                                    Captured.run("ls", "--connect", uri).out())
                            .isEqualTo("nothing below " + uri + "\n"));
        }
    }
}
