package io.baton.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.benchmarks.Contest.Played;
import io.baton.benchmarks.Contest.Round;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That it can be measured; what comes out depends on the machine. */
@Timeout(120)
class ContestIT {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration SLOW = Duration.ofMillis(1);

    @Test
    void play_everyKindOfWork_countsBothSides() throws Exception {
        Row drained = new Row("drained", "few threads", 1, 1, 9, Duration.ZERO, true, Work.DRAIN);
        play(Field.ZOOKEEPER, Stream.concat(small(Field.ZOOKEEPER), Stream.of(drained)));
    }

    @Test
    @Tag("etcd")
    void play_onEtcd_countsBothSides() throws Exception {
        play(Field.ETCD, small(Field.ETCD));
    }

    private static Stream<Row> small(Field field) {
        return field.rows().stream()
                .filter(row -> row.workers() <= 2 && row.roundTrip().compareTo(SLOW) <= 0);
    }

    private static void play(Field field, Stream<Row> rows) throws Exception {
        try (Server server = field.start(false)) {
            for (Row row : (Iterable<Row>) rows::iterator) {
                Played played = new Contest(field, row, server).play(2, SHORT, SHORT);

                List<Round> rounds = played.rounds();
                assertThat(rounds).hasSize(2).allSatisfy(round -> {
                    assertThat(round.peer().passes()).isPositive();
                    assertThat(round.baton().passes()).isPositive();
                    assertThat(round.peer().requestsPerPass()).isGreaterThanOrEqualTo(2);
                    // In a line that is followed a hand-off is the removal, and no more; a place that lingers takes
                    // none.
                    boolean asks = row.kind() != LockKind.LINGER;
                    assertThat(round.baton().requestsPerPass() >= 1).isEqualTo(asks);
                    assertThat(round.baton().allocated()).isPositive();
                    assertThat(round.baton().fairness().changes()).isPositive();
                    assertThat(round.baton().fairness().leastShare()).isBetween(0.0, 1.0);
                });
                assertThat(ResultTable.line(row, rounds)).contains(row.what());
                assertThat(played.limits().event()).isPositive();
                assertThat(ResultTable.handOffs(row, played)).contains(row.what());
            }
        }
    }
}
