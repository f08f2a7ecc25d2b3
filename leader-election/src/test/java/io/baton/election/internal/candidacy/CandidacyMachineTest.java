package io.baton.election.internal.candidacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.internal.candidacy.CandidacyMachine.Effect;
import io.baton.election.internal.candidacy.CandidacyMachine.Event;
import io.baton.election.internal.candidacy.CandidacyMachine.State;
import io.baton.election.internal.candidacy.CandidacyMachine.Step;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every state, every event, and every order of them. */
class CandidacyMachineTest {

    private static final Set<State> WORK_GOES_ON =
            EnumSet.of(State.LEADING, State.STOPPING, State.HANDING_OVER, State.DEPOSED);

    @Test
    void step_always_givesTheEntryBackOnlyWhenTheWorkHasStopped() {
        everyStep((from, event, leaving, step) -> {
            boolean givenBack =
                    step.effects().contains(Effect.RELEASE) || step.effects().contains(Effect.PASS);
            boolean workStops = WORK_GOES_ON.contains(from) && event == Event.RETURNED;
            boolean passed = from == State.PASSING && event == Event.PASSED;
            assertThat(givenBack).as("%s, %s", from, event).isEqualTo(workStops || passed);
        });
    }

    @Test
    void step_workStoppedForAHandOver_asksTheStoreFirstAndTakesNoLastResort() {
        for (boolean leaving : new boolean[] {false, true}) {
            Step stopped = CandidacyMachine.step(State.HANDING_OVER, Event.RETURNED, leaving);
            assertThat(stopped).isEqualTo(new Step(State.PASSING, Set.of(Effect.PASS)));
            for (Event event : Event.values()) {
                if (event != Event.PASSED) {
                    assertThat(CandidacyMachine.step(State.PASSING, event, leaving))
                            .isEqualTo(new Step(State.PASSING, Set.of()));
                }
            }
        }
    }

    @Test
    void step_handOverCannotBeFinished_isCalledOff() {
        everyStep((from, event, leaving, step) -> {
            if (from == State.LEADING && step.next() != State.LEADING && step.next() != State.HANDING_OVER) {
                assertThat(step.effects()).contains(Effect.CALL_OFF);
            }
            if (from == State.HANDING_OVER && step.next() != State.HANDING_OVER && step.next() != State.PASSING) {
                assertThat(step.effects()).contains(Effect.CALL_OFF).doesNotContain(Effect.STOP);
            }
        });
    }

    @Test
    void step_always_beginsTheWorkOnlyWhenGranted() {
        everyStep((from, event, leaving, step) -> assertThat(step.effects().contains(Effect.START))
                .isEqualTo(from == State.STANDING && event == Event.GRANTED));
    }

    @Test
    void step_whileTheWorkGoesOn_neitherStandsNorEnds() {
        everyStep((from, event, leaving, step) -> {
            if (WORK_GOES_ON.contains(from) && event != Event.RETURNED) {
                assertThat(step.effects()).doesNotContain(Effect.STAND, Effect.PAUSE, Effect.END);
                assertThat(WORK_GOES_ON).contains(step.next());
            }
        });
    }

    @Test
    void step_whateverEndsTheTerm_tellsTheWorkOnce() {
        everyStep((from, event, leaving, step) -> assertThat(step.effects().contains(Effect.STOP))
                .as("%s, %s", from, event)
                .isEqualTo(from == State.LEADING
                        && EnumSet.of(Event.JEOPARDY, Event.LOST, Event.RESIGN, Event.AGREED, Event.CLOSE)
                                .contains(event)));
    }

    @Test
    void step_toldWorkThatIsLateOrLost_takesTheLastResort() {
        everyStep((from, event, leaving, step) -> {
            boolean late = event == Event.LATE
                    && EnumSet.of(State.STOPPING, State.HANDING_OVER, State.DEPOSED)
                            .contains(from);
            boolean lost = event == Event.LOST
                    && EnumSet.of(State.STOPPING, State.HANDING_OVER).contains(from);
            assertThat(step.effects().contains(Effect.LAST_RESORT)).isEqualTo(late || lost);
        });
    }

    @Test
    void step_closed_comesToAnEndAndStandsNoMore() {
        everyStep((from, event, leaving, step) -> {
            if (from != State.OVER && step.next() == State.OVER) {
                assertThat(step.effects()).contains(Effect.END);
            }
            boolean stopped = EnumSet.of(State.STOPPING, State.DEPOSED).contains(from) && event == Event.RETURNED;
            boolean over = stopped || (from == State.PASSING && event == Event.PASSED);
            if (leaving && over) {
                assertThat(step.next()).isEqualTo(State.OVER);
            }
        });
        for (Event event : Event.values()) {
            assertThat(CandidacyMachine.step(State.OVER, event, true).effects()).isEmpty();
        }
    }

    @Test
    void step_everyStateButTheFirst_canBeReached() {
        Set<State> reached = new HashSet<>();
        everyStep((from, event, leaving, step) -> reached.add(step.next()));
        assertThat(reached).containsExactlyInAnyOrder(State.values());
    }

    private interface Check {
        void look(State from, Event event, boolean leaving, Step step);
    }

    private static void everyStep(Check check) {
        for (State from : State.values()) {
            for (Event event : Event.values()) {
                for (boolean leaving : new boolean[] {false, true}) {
                    check.look(from, event, leaving, CandidacyMachine.step(from, event, leaving));
                }
            }
        }
    }
}
