package io.baton.cli.run;

import static io.baton.HoldState.HELD;
import static io.baton.HoldState.JEOPARDY;
import static io.baton.HoldState.LOST;
import static io.baton.cli.run.KillSchedule.Act.KILL;
import static io.baton.cli.run.KillSchedule.Act.NOTHING;
import static io.baton.cli.run.KillSchedule.Act.TERM;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.HoldState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class KillScheduleTest {

    private final KillSchedule schedule = new KillSchedule(Duration.ofSeconds(2));
    private long nowMillis;

    @Test
    void look_healthyHold_letsTheCommandRun() {
        for (int beat = 0; beat < 100; beat++) {
            assertThat(look(HELD, 10_000 - beat % 50 * 100)).isEqualTo(NOTHING);
            nowMillis += 100;
        }
        assertThat(schedule.ending()).isFalse();
    }

    @Test
    void look_jeopardyWithTimeLeft_waits() {
        look(HELD, 10_000);
        assertThat(look(JEOPARDY, 2_000)).isEqualTo(NOTHING);
        assertThat(schedule.ending()).isFalse();
    }

    @Test
    void look_jeopardyWithinGrace_terminatesOnce() {
        look(HELD, 10_000);
        assertThat(look(JEOPARDY, 1_999)).isEqualTo(TERM);
        assertThat(look(JEOPARDY, 1_900)).isEqualTo(NOTHING);
        assertThat(schedule.ending()).isTrue();
    }

    @Test
    void look_justAfterAPause_givesTheHoldTheChanceToBeRenewed() {
        look(HELD, 10_000);
        nowMillis += 9_000;
        assertThat(look(HELD, 1_000)).isEqualTo(NOTHING);
        nowMillis += 50;
        assertThat(look(HELD, 9_900)).isEqualTo(NOTHING);
        assertThat(schedule.ending()).isFalse();
    }

    @Test
    void look_inContactButNotRenewed_terminates() {
        look(HELD, 10_000);
        assertThat(look(HELD, 1_990)).isEqualTo(NOTHING);
        nowMillis += 500;
        assertThat(look(HELD, 1_490)).isEqualTo(TERM);
    }

    @Test
    void look_atTheDeadline_killsOnce() {
        look(HELD, 10_000);
        look(JEOPARDY, 1_000);
        assertThat(look(JEOPARDY, 100)).isEqualTo(KILL);
        assertThat(look(LOST, 0)).isEqualTo(NOTHING);
    }

    @Test
    void look_lostAllOfASudden_kills() {
        look(HELD, 10_000);
        assertThat(look(LOST, 0)).isEqualTo(KILL);
        assertThat(schedule.ending()).isTrue();
    }

    @Test
    void look_graceLongerThanHealthyHoldsKeep_isCutSoThatHealthIsNoTrouble() {
        var anxious = new KillSchedule(Duration.ofMinutes(1));
        anxious.nextAct(0, HELD, Duration.ofSeconds(10));
        assertThat(anxious.nextAct(0, JEOPARDY, Duration.ofSeconds(5))).isEqualTo(NOTHING);
        assertThat(anxious.nextAct(0, JEOPARDY, Duration.ofMillis(4_400))).isEqualTo(TERM);
    }

    @Test
    void recalled_muchTimeLeft_terminatesOnceAndKillsAfterTheGrace() {
        look(HELD, 10_000);
        assertThat(recalled()).isEqualTo(TERM);
        assertThat(schedule.untilNextChange(Duration.ofSeconds(10))).isLessThan(Duration.ofMillis(100));
        nowMillis += 1_999;
        assertThat(recalled()).isEqualTo(NOTHING);
        nowMillis += 1;
        assertThat(recalled()).isEqualTo(KILL);
        assertThat(recalled()).isEqualTo(NOTHING);
    }

    @Test
    void recalled_graceLongerThanTheTimeoutAllows_isCut() {
        var patient = new KillSchedule(Duration.ofMinutes(1));
        patient.nextAct(0, HELD, Duration.ofSeconds(10));
        assertThat(patient.recalled(0)).isEqualTo(TERM);
        assertThat(patient.recalled(Duration.ofMillis(4_499).toNanos())).isEqualTo(NOTHING);
        assertThat(patient.recalled(Duration.ofMillis(4_500).toNanos())).isEqualTo(KILL);
    }

    @Test
    void rest_healthyHold_lastsUntilTroubleCouldBegin() {
        look(HELD, 10_000);
        assertThat(schedule.untilNextChange(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void rest_inTrouble_isShort() {
        look(HELD, 10_000);
        assertThat(schedule.untilNextChange(Duration.ofSeconds(1))).isLessThan(Duration.ofMillis(100));
    }

    private KillSchedule.Act recalled() {
        return schedule.recalled(nowMillis * 1_000_000);
    }

    private KillSchedule.Act look(HoldState state, long remainingMillis) {
        return schedule.nextAct(nowMillis * 1_000_000, state, Duration.ofMillis(remainingMillis));
    }
}
