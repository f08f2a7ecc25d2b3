package io.baton.tck.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.spi.Proof;
import io.baton.testkit.sim.Simulation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutationTest {

    private static final String RIGHT = "return deadlineNanos - nowNanos;";

    @Test
    void search_bugPlanted_tellsTheFirstSeedThatFailsAndWhatWasSaid() {
        Verdict verdict = search("spi.Proof", RIGHT, "return deadlineNanos;", 10);
        assertThat(verdict.found()).isTrue();
        assertThat(verdict.seeds()).isEqualTo(4);
        assertThat(verdict.said()).isEqualTo("3 left");
    }

    @Test
    void search_seedThatHasFoundItIsKnown_isRunFirst() {
        Verdict verdict = bugs().inCore("spi.Proof", "a known bug", RIGHT, "return deadlineNanos;")
                .search(10)
                .get(0);
        assertThat(verdict.found()).isTrue();
        assertThat(verdict.seed()).isEqualTo(7);
        assertThat(verdict.seeds()).isEqualTo(1);
    }

    @Test
    void sample_ofSeveral_keepsTheSameOnesEachTimeRoundedUp() {
        List<String> kept = names(fourBugs().sample(3));

        assertThat(kept).hasSize(2);
        assertThat(names(fourBugs().sample(3))).isEqualTo(kept);
        assertThat(names(fourBugs().sample(1))).containsExactly("1", "2", "3", "4");
    }

    @Test
    void sample_textOfOneThatIsNotKeptIsGone_isRefused() {
        assertThatThrownBy(() -> fourBugs()
                        .inCore("spi.Proof", "gone", "no such text", "")
                        .sample(5))
                .hasMessageContaining("cannot plant 'gone'");
    }

    private static PlantedBugs fourBugs() {
        PlantedBugs bugs = bugs();
        for (int i = 1; i <= 4; i++) {
            bugs.inCore("spi.Proof", Integer.toString(i), RIGHT, "return " + i + ";");
        }
        return bugs;
    }

    private static List<String> names(PlantedBugs bugs) {
        return bugs.search(0).stream().map(Verdict::bug).toList();
    }

    @Test
    void search_knownSeedFindsItNoMore_theOthersAreRun() {
        Verdict verdict = bugs().inCore(
                        "spi.Proof", "a bug that was found by another seed", RIGHT, "return deadlineNanos;")
                .search(10)
                .get(0);
        assertThat(verdict.seed()).isEqualTo(3);
        assertThat(verdict.seeds()).isEqualTo(5);
    }

    @Test
    void store_someFound_writesThoseForTheNextTime(@TempDir Path module) throws IOException {
        KnownSeeds.of(Countdown.class, "countdown")
                .store(module, List.of(Verdict.unnoticed("x", 9), new Verdict("a bug", 3, 4, "3 left", null)));

        assertThat(module.resolve("src/test/resources/io/baton/tck/mutation/countdown.planted"))
                .hasContent("3\ta bug\n");
        assertThat(KnownSeeds.of(Countdown.class, "countdown").of("a known bug"))
                .hasValue(7);
        assertThat(KnownSeeds.of(Countdown.class, "countdown").of("x")).isEmpty();
    }

    @Test
    void search_fewerSeedsThanItTakes_findsNothing() {
        Verdict verdict = search("spi.Proof", RIGHT, "return deadlineNanos;", 3);
        assertThat(verdict.found()).isFalse();
        assertThat(verdict.seeds()).isEqualTo(3);
    }

    @Test
    void search_anotherExceptionThanAnInvariants_findsNothing() {
        Verdict verdict = search("spi.Proof", RIGHT, "throw new IllegalStateException(\"by accident\");", 10);
        assertThat(verdict.found()).isFalse();
        assertThat(verdict.accident()).isInstanceOf(IllegalStateException.class).hasMessage("by accident");
    }

    @Test
    void search_over_leavesTheOriginalAsItWas() {
        search("spi.Proof", RIGHT, "return deadlineNanos;", 10);
        assertThat(new Proof(0, 0, 5, 0).remainingNanos(3)).isEqualTo(2);
    }

    @Test
    void searchInVain_noBug_findsNothing() {
        assertThat(bugs().searchInVain(10)).isEqualTo(Verdict.unnoticed("none", 10));
    }

    @Test
    void search_textOnOtherLines_isFound() {
        assertThat(search(
                                "spi.Proof",
                                "public long remainingNanos(long nowNanos) { " + RIGHT,
                                "public long remainingNanos(long nowNanos) {" + " return deadlineNanos;",
                                10)
                        .found())
                .isTrue();
    }

    @Test
    void search_textNotThere_isRefused() {
        assertThatThrownBy(() -> search("spi.Proof", "return yesterday;", "", 1))
                .hasMessageContaining("Proof.java")
                .hasMessageContaining("does not stand at all")
                .hasMessageContaining("return yesterday;");
    }

    @Test
    void search_textThereTwice_isRefused() {
        assertThatThrownBy(() -> search("spi.Proof", "long nowNanos", "", 1))
                .hasMessageContaining("stands several times");
    }

    @Test
    void search_doesNotCompile_isRefused() {
        assertThatThrownBy(() -> search("spi.Proof", RIGHT, "return \"soon\";", 1))
                .hasMessageContaining("does not compile")
                .hasMessageContaining("incompatible types");
    }

    private static Verdict search(String type, String right, String wrong, int seeds) {
        List<Verdict> verdicts = bugs().inCore(type, "a bug", right, wrong).search(seeds);
        assertThat(verdicts).hasSize(1);
        return verdicts.get(0);
    }

    private static PlantedBugs bugs() {
        return new PlantedBugs(Countdown.class, "countdown", "store-tck");
    }

    /** Fails from seed 3 on if a proof's time does not run out. */
    static final class Countdown implements ObjLongConsumer<String> {

        @Override
        public void accept(String kind, long seed) {
            var sim = new Simulation(seed);
            sim.at(1, () -> {
                long left = new Proof(0, 0, seed, 0).remainingNanos(seed);
                sim.check(left < 3, left + " left");
            });
            sim.runFor(Duration.ofSeconds(1));
        }
    }
}
