package io.baton.election.internal.term;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.KeptLines;
import io.baton.election.Rig;
import io.baton.election.StopReason;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.ClientLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of terms whose work throws, on virtual time. */
class WorkFailuresTest {

    private static final Duration BRIEF = Duration.ofMillis(3);

    private final Rig rig = new Rig("failures");
    private final ClientLoop loop =
            ElectionLine.named(rig.client("alice"), "boss").loop();
    private final KeptLines log = new KeptLines();
    private final WorkFailures failures = new WorkFailures("a", loop, log);
    private final IllegalStateException broken = new IllegalStateException("no disk");
    private long term;

    @Test
    void ended_throwing_isToldWithItsStackAndThePause() {
        threw(broken, BRIEF);

        assertThat(log.all()).hasSize(1);
        assertThat(log.all().get(0))
                .matches("WARN a: the work of term 1 threw after 3 ms; it stands again in \\d+ ms \\+");
    }

    @Test
    void ended_throwingTheSameAgainAndAgain_isToldNowAndThenWithTheCountAndWithoutAStack() {
        for (int second = 0; second <= 120; second++) {
            threw(new IllegalStateException("no disk " + second, broken), BRIEF, broken.getStackTrace());
            rig.loop.pass(Duration.ofSeconds(1));
        }

        assertThat(log.all()).hasSize(3);
        assertThat(log.all().get(0)).endsWith(" +");
        assertThat(log.all().get(1))
                .matches("WARN a: the work has thrown 61 times in a row since \\S+Z, last in term 61: "
                        + "java.lang.IllegalStateException: no disk 60; it stands again in .*s");
        assertThat(log.all().get(2)).contains("thrown 121 times");
    }

    @Test
    void ended_throwingSomethingElse_isToldWithItsStackButNotWithoutBound() {
        for (int n = 0; n < 20; n++) {
            threw(new IllegalStateException("n"), BRIEF, new StackTraceElement("Work", "step" + n, "Work.java", n));
        }

        assertThat(log.all()).hasSize(5).allSatisfy(line -> assertThat(line).endsWith(" +"));
        assertThat(log.all().get(1)).contains("as one of 2 terms in a row");
    }

    @Test
    void begun_andStillGoingOnAfterAWhile_isToldOnceAndTheSeriesIsOver() {
        threw(broken, BRIEF);
        threw(broken, BRIEF);
        failures.termStarted(() -> true);
        rig.loop.pass(WorkFailures.LASTING.minusMillis(1));
        assertThat(log.all()).hasSize(1);
        rig.loop.pass(Duration.ofMillis(1));

        assertThat(log.all().get(1)).isEqualTo("INFO a: the work goes on again, after it has thrown 2 times in a row");
        assertThat(failures.consecutive()).isZero();
        threw(broken, WorkFailures.LASTING);
        assertThat(log.all())
                .hasSize(3)
                .last()
                .asString()
                .startsWith("WARN a: the work of term 3 threw")
                .endsWith(" +");
    }

    @Test
    void begun_andToldToStopMeanwhile_isNoSuccess() {
        threw(broken, BRIEF);
        failures.termStarted(() -> false);
        rig.loop.pass(WorkFailures.LASTING);

        assertThat(failures.consecutive()).isEqualTo(1);
        assertThat(log.all()).hasSize(1);
    }

    @Test
    void begun_andEndedBefore_isNoSuccessLater() {
        threw(broken, BRIEF);
        failures.termStarted(() -> true);
        threw(broken, BRIEF);
        rig.loop.pass(WorkFailures.LASTING);

        assertThat(failures.consecutive()).isEqualTo(2);
    }

    @Test
    void ended_returningOrStoppedAfterAWhile_isASuccess() {
        threw(broken, BRIEF);
        ended(null, null, WorkFailures.SHORT);
        assertThat(log.all()).hasSize(2).last().asString().startsWith("INFO");
        threw(broken, BRIEF);
        assertThat(failures.consecutive()).isEqualTo(1);
        ended(StopReason.LOST, null, WorkFailures.SHORT);
        assertThat(failures.consecutive()).isZero();
    }

    @Test
    void ended_stoppedAtOnce_provesNothing() {
        threw(broken, BRIEF);
        ended(StopReason.LOST, null, BRIEF);

        assertThat(failures.consecutive()).isEqualTo(1);
        assertThat(log.all()).hasSize(1);
    }

    /** Also one that ends at once has done what there was to do. */
    @Test
    void ended_returningAtOnce_isAPauseAndNoFailureUntilATermIsStopped() {
        ended(null, null, BRIEF);
        ended(null, null, BRIEF);
        assertThat(failures.consecutive()).isEqualTo(2);
        assertThat(failures.thrown()).isZero();
        ended(StopReason.HANDED_OVER, null, BRIEF);

        assertThat(failures.consecutive()).isZero();
        assertThat(log.all()).isEmpty();
    }

    @Test
    void ended_throwingAndSucceedingInTurn_isNotToldEachTime() {
        for (int n = 0; n < 60; n++) {
            threw(broken, BRIEF);
            ended(null, null, WorkFailures.SHORT);
            rig.loop.pass(Duration.ofSeconds(1));
        }

        assertThat(log.all()).hasSize(2);
    }

    @Test
    void ended_throwingWhenToldToStop_isToldNowAndThenAndNoFailure() {
        for (int second = 0; second <= 60; second++) {
            ended(StopReason.LOST, broken, BRIEF);
            rig.loop.pass(Duration.ofSeconds(1));
        }

        assertThat(log.all())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains("threw when told to stop (LOST)")
                        .endsWith(" +"));
        assertThat(log.all().get(1)).contains("59 times before");
        assertThat(failures.consecutive()).isZero();
    }

    @Test
    void pause_failuresInARow_doublesWithinBounds() {
        List<Duration> pauses = new ArrayList<>();
        for (int n = 0; n < 12; n++) {
            pauses.add(threw(broken, Duration.ofSeconds(3)));
        }

        for (int n = 0; n < 12; n++) {
            Duration least = Duration.ofMillis(20L << Math.min(n, 7));
            assertThat(pauses.get(n)).as("failure %d", n + 1).isBetween(least, least.multipliedBy(2));
        }
    }

    private Duration threw(Throwable what, Duration lasted, StackTraceElement... where) {
        what.setStackTrace(where.length == 0 ? what.getStackTrace() : where);
        ended(null, what, lasted);
        Duration pause = failures.pause(failures.consecutive(), 8);
        failures.retryIn(pause);
        return pause;
    }

    private void ended(@Nullable StopReason stop, @Nullable Throwable thrown, Duration lasted) {
        term++;
        failures.termEnded(new WorkFailures.Ended(term, lasted, stop, thrown));
    }
}
