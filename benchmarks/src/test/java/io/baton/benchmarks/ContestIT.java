package io.baton.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That it can be measured; what comes out depends on the machine. */
@Timeout(300)
class ContestIT {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration SLOW = Duration.ofMillis(1);

    @Test
    void play_everyKindOfWork_countsBothSides() throws Exception {
        Row drained = new Row("drained", "few threads", 1, 1, 9, Duration.ZERO, true, Work.DRAIN);
        play(here(Field.ZOOKEEPER), 2, Stream.concat(small(Field.ZOOKEEPER), Stream.of(drained)));
    }

    @Test
    @Tag("etcd")
    void play_onEtcd_countsBothSides() throws Exception {
        play(here(Field.ETCD), 2, small(Field.ETCD));
    }

    @Test
    @Tag("long")
    void play_processesAndThreeServers_countsBothSides() throws Exception {
        play(spread(Field.ZOOKEEPER), 1, Stream.of(Field.ZOOKEEPER.row("hand-off-2-1ms")));
    }

    @Test
    @Tag("etcd")
    @Tag("long")
    void play_processesAndThreeServersOfEtcd_countsBothSides() throws Exception {
        play(spread(Field.ETCD), 1, Stream.of(Field.ETCD.row("hand-off-2-1ms")));
    }

    @Test
    void play_recipes_countsBothSides() throws Exception {
        Setup setup = here(Field.ZOOKEEPER);
        try (Server server = setup.start()) {
            for (Row row : Field.ZOOKEEPER.rows()) {
                if (row.kind().isRecipe()) {
                    Played played = new Contest(setup, row, server).play(1, SHORT, SHORT);
                    assertThat(played.rounds()).as(row.name()).allSatisfy(round -> {
                        assertThat(round.peer().passes()).isPositive();
                        assertThat(round.baton().passes()).isPositive();
                        assertThat(round.peer().requests()).isPositive();
                        assertThat(round.baton().requests()).isPositive();
                    });
                }
            }
        }
    }

    private static Setup here(Field field) {
        return new Setup(field, 1, false, false);
    }

    private static Setup spread(Field field) {
        return new Setup(field, 3, true, true);
    }

    private static Stream<Row> small(Field field) {
        return field.rows().stream()
                .filter(row -> !row.kind().isRecipe())
                .filter(row -> row.workers() <= 2 && row.roundTrip().compareTo(SLOW) <= 0);
    }

    private static void play(Setup setup, int rounds, Stream<Row> rows) throws Exception {
        var all = new ArrayList<Played>();
        try (Server server = setup.start()) {
            for (Row row : (Iterable<Row>) rows::iterator) {
                Played played = new Contest(setup, row, server).play(rounds, SHORT, SHORT);
                all.add(played);

                assertThat(played.rounds()).hasSize(rounds).allSatisfy(round -> {
                    assertThat(round.peer().passes()).isPositive();
                    assertThat(round.baton().passes()).isPositive();
                    assertThat(round.peer().requestsPerPass()).isGreaterThanOrEqualTo(2);
                    // In a line that is followed a hand-off is the removal, and no more; a place that lingers takes
                    // none.
                    boolean asks = row.kind() != LockKind.LINGER;
                    assertThat(round.baton().requestsPerPass() >= 1).isEqualTo(asks);
                    // That of threads which have ended since is missing.
                    assertThat(round.baton().usage().allocated()).isNotZero();
                    assertThat(round.baton().fairness().changes()).isPositive();
                    assertThat(round.baton().fairness().leastShare()).isBetween(0.0, 1.0);
                });
                assertThat(played.limits().event()).isPositive();
                assertThat(played.limits().createAndDelete()).isPositive();
            }
        }
        assertPublishedAsPrinted(
                setup,
                all.stream()
                        .filter(played -> setup.field().rows().contains(played.row()))
                        .toList());
    }

    private static void assertPublishedAsPrinted(Setup setup, List<Played> all) {
        var data = new RawData(setup, "as a test");
        all.forEach(data::add);
        assertThat(ResultTable.markdown(setup, RawData.parse(setup, data.lines())))
                .isEqualTo(ResultTable.markdown(setup, all));
    }
}
