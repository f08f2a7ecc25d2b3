package io.baton.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.chaos.fleet.ClientPlan;
import io.baton.testkit.LongRun;
import io.baton.testkit.server.Directories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A few rounds with a few clients: that a run can be played, and that nothing is wrong. The seed is another one each time,
 * and is printed; {@code -Dbaton.chaos.seed=N} gives the same schedule again. Runs worth the name are those of
 * {@code ./chaos}.
 */
@Timeout(400)
abstract class ShortRun {

    private static final Duration LENGTH = Duration.ofSeconds(LongRun.rounds(12, 25));
    private static final Duration BOUND = Duration.ofSeconds(45);

    private final StoreKind store;

    ShortRun(StoreKind store) {
        this.store = store;
    }

    @Test
    void play_fewClients_findsNothingWrong() throws Exception {
        long seed = Long.getLong("baton.chaos.seed", ThreadLocalRandom.current().nextLong(1_000_000));
        Path folder = Path.of("target", "histories", store + "-" + seed);
        ClientPlan manning = new ClientPlan(2, 2, 2, store.ttl(), store.heapMegabytes(), seed);

        RunReport report = new ChaosRun(new RunSettings(store, LENGTH, BOUND, manning, List.of(), folder)).play();

        System.out.println(report.summary());
        assertThat(report.violations())
                .as("seed " + seed + "; the histories are in " + folder.toAbsolutePath())
                .isEmpty();
        // A run most of which passes without a server has a dozen.
        assertThat(report.history().holds()).isGreaterThan(4);
        assertThat(report.history().applied()).isPositive();
        assertThat(report.history().recipes().added()).isPositive();
        assertThat(report.history().recipes().numbered()).isPositive();
        assertThat(report.history().recipes().views()).isPositive();
        assertThat(report.history().recipes().answered()).isPositive();
        assertThat(report.history().faults()).isNotEmpty();
        Directories.delete(folder);
    }
}
