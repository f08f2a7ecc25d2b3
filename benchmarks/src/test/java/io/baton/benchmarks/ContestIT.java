package io.baton.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.benchmarks.Contest.Round;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That it can be measured; what comes out depends on the machine. */
@Timeout(120)
class ContestIT {

    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void play_everyKindOfWork_countsBothSides() throws Exception {
        try (ServerProcess server = ServerProcess.start()) {
            for (Row row : (Iterable<Row>) rows()::iterator) {
                List<Round> rounds = new Contest(row, server).play(2, SHORT, SHORT);

                assertThat(rounds).hasSize(2).allSatisfy(round -> {
                    assertThat(round.curator().passes()).isPositive();
                    assertThat(round.baton().passes()).isPositive();
                    assertThat(round.curator().requestsPerPass()).isGreaterThanOrEqualTo(2);
                    // In a line that is followed a hand-off is the removal, and no more.
                    assertThat(round.baton().requestsPerPass()).isGreaterThanOrEqualTo(1);
                });
                assertThat(Table.line(row, rounds)).contains(row.what());
            }
        }
    }

    private static Stream<Row> rows() {
        Row drained = new Row("drained", "few threads", 1, 1, 9, Duration.ZERO, true, Work.DRAIN);
        return Stream.concat(Row.all().stream().filter(row -> row.workers() <= 2), Stream.of(drained));
    }
}
