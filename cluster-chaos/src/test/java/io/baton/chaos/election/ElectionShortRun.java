package io.baton.chaos.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.server.Directories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A few successions among a few processes; runs worth the name are those of {@code cluster-chaos/elections}. */
@Timeout(200)
abstract class ElectionShortRun {

    private static final Duration TTL = Duration.ofSeconds(3);

    private final SiteKind store;

    ElectionShortRun(SiteKind store) {
        this.store = store;
    }

    /** By the times in the logs of real processes, and by what the store has taken. */
    @Test
    void leader_cutOffOrFrozen_stopsInTimeAndItsLateWritesAreRefused() throws Exception {
        ElectionReport report = play("stops", 1, true, Map.of(Cause.CUT_OFF, 2, Cause.FROZEN, 1));

        assertThat(report.successions()).hasSize(3);
        assertThat(report.refused()).isGreaterThanOrEqualTo(3);
    }

    @Test
    @Tag("long")
    void successions_forced_areSeenByAllAndCostTheSameForManyAsForFew() throws Exception {
        ElectionReport few = play("few", 1, false, Map.of(Cause.RESIGNED, 8));
        ElectionReport many = play("many", 10, false, Map.of(Cause.RESIGNED, 10, Cause.REMOVED, 9, Cause.KILLED, 1));

        assertThat(many.successions()).hasSize(20);
        assertThat(many.expected()).isGreaterThan(19);
        assertThat(many.requests().get(Cause.RESIGNED))
                .isLessThan(few.requests().get(Cause.RESIGNED) + 3);
    }

    private ElectionReport play(String name, int candidates, boolean writes, Map<Cause, Integer> deeds)
            throws Exception {
        Path folder = Path.of("target", "elections", store + "-" + name);
        var settings = new ElectionSettings(store, 2, candidates, TTL, new TreeMap<>(deeds), writes, folder);

        ElectionReport report = new ElectionScenario(settings).play();

        System.out.println(report.summary());
        assertThat(report.violations())
                .as("what was told is in " + folder.toAbsolutePath())
                .isEmpty();
        Directories.delete(folder);
        return report;
    }
}
