package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.lock.AcquisitionMachine.Effect;
import io.baton.internal.lock.AcquisitionMachine.Event;
import io.baton.internal.lock.AcquisitionMachine.Patience;
import io.baton.internal.lock.AcquisitionMachine.State;
import io.baton.internal.lock.AcquisitionMachine.Step;
import io.baton.internal.lock.AcquisitionMachine.Validity;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every state that can be reached, with every event and every validity, in every order. */
class AcquisitionMachineTest {

    /** A state together with all that matters of how it was reached. */
    private record History(
            State state, boolean sawClear, boolean sawGone, int grants, int fails, int ends, int leaves) {

        History after(Event event, Step step) {
            Set<Effect> done = step.effects();
            return new History(
                    step.next(),
                    // What was clear before the session ended says nothing of the next one's entry.
                    !done.contains(Effect.REJOIN) && (sawClear || event == Event.CLEAR),
                    sawGone || event == Event.GONE,
                    grants + (done.contains(Effect.GRANT) ? 1 : 0),
                    fails + (done.contains(Effect.FAIL) ? 1 : 0),
                    ends + (done.contains(Effect.LOST) ? 1 : 0) + (done.contains(Effect.RELEASED) ? 1 : 0),
                    leaves + (done.contains(Effect.LEAVE) ? 1 : 0));
        }
    }

    private interface Check {
        void on(History before, Event event, Validity validity, Step step, History after);
    }

    private static int explore(Patience patience, Check check) {
        Set<History> seen = new HashSet<>();
        Deque<History> open = new ArrayDeque<>();
        open.add(new History(State.WAITING, false, false, 0, 0, 0, 0));
        int steps = 0;
        while (!open.isEmpty()) {
            History before = open.remove();
            if (!seen.add(before)) {
                continue;
            }
            for (Event event : Event.values()) {
                for (Validity validity : Validity.values()) {
                    Step step = AcquisitionMachine.step(before.state, event, validity, patience);
                    History after = before.after(event, step);
                    check.on(before, event, validity, step, after);
                    steps++;
                    assertThat(steps).as("an end to what can happen").isLessThan(100_000);
                    open.add(after);
                }
            }
        }
        assertThat(seen.stream().map(History::state)).contains(State.values());
        return steps;
    }

    @ParameterizedTest
    @EnumSource(Patience.class)
    void step_everyReachableState_grantsAtMostOnceAndOnlyWhenClearAndProven(Patience patience) {
        int steps = explore(patience, (before, event, validity, step, after) -> {
            assertThat(after.grants).isLessThanOrEqualTo(1);
            if (step.effects().contains(Effect.GRANT)) {
                assertThat(after.sawClear).isTrue();
                assertThat(validity).isEqualTo(Validity.PROVEN);
                assertThat(step.next()).isEqualTo(State.HELD);
                assertThat(step.effects()).contains(Effect.ARM);
            }
        });
        assertThat(steps).isGreaterThan(100);
    }

    @ParameterizedTest
    @EnumSource(Patience.class)
    void step_everyReachableState_answersTheCallerExactlyOnce(Patience patience) {
        explore(patience, (before, event, validity, step, after) -> {
            boolean wasOpen = before.state == State.WAITING || before.state == State.UNPROVEN;
            boolean isOpen = after.state == State.WAITING || after.state == State.UNPROVEN;
            assertThat(after.grants + after.fails).isEqualTo(isOpen ? 0 : 1);
            if (!wasOpen) {
                assertThat(step.effects()).doesNotContain(Effect.GRANT, Effect.FAIL);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Patience.class)
    void step_everyReachableState_endsAHoldExactlyOnce(Patience patience) {
        explore(patience, (before, event, validity, step, after) -> {
            boolean over = after.state == State.DONE && after.grants == 1;
            assertThat(after.ends).isEqualTo(over ? 1 : 0);
        });
    }

    @ParameterizedTest
    @EnumSource(Patience.class)
    void step_done_doesNothingMore(Patience patience) {
        explore(patience, (before, event, validity, step, after) -> {
            if (before.state == State.DONE) {
                assertThat(step.next()).isEqualTo(State.DONE);
                assertThat(step.effects()).isEmpty();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Patience.class)
    void step_entryNoLongerWanted_leavesUnlessItIsKnownToBeGone(Patience patience) {
        explore(patience, (before, event, validity, step, after) -> {
            boolean ends = before.state != State.DONE && after.state == State.DONE;
            assertThat(step.effects().contains(Effect.LEAVE))
                    .isEqualTo(ends && event != Event.GONE && event != Event.ENDED);
            assertThat(after.leaves).isLessThanOrEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource(Patience.class)
    void step_sessionEnds_joinsAgainOnlyWhileWaitingAndOnlyIfAsked(Patience patience) {
        explore(patience, (before, event, validity, step, after) -> {
            boolean waits = before.state == State.WAITING || before.state == State.UNPROVEN;
            boolean again = event == Event.ENDED && waits && patience == Patience.ENDLESS;
            assertThat(step.effects().contains(Effect.REJOIN)).isEqualTo(again);
            if (again) {
                assertThat(step).isEqualTo(new Step(State.WAITING, EnumSet.of(Effect.REJOIN)));
            }
            if (event == Event.ENDED && before.state == State.HELD) {
                assertThat(step).isEqualTo(new Step(State.DONE, EnumSet.of(Effect.LOST)));
            }
        });
    }

    @Test
    void step_heldPastTheDeadline_isLostWhateverHappensUnlessItEndsOtherwise() {
        Set<Event> otherwise = EnumSet.of(Event.GONE, Event.ENDED, Event.CLOSE, Event.CANCEL);
        for (Event event : EnumSet.complementOf(EnumSet.copyOf(otherwise))) {
            Step step = AcquisitionMachine.step(State.HELD, event, Validity.PAST_DEADLINE, Patience.SESSION);
            assertThat(step).isEqualTo(new Step(State.DONE, EnumSet.of(Effect.LOST, Effect.LEAVE)));
        }
    }

    @Test
    void step_waitingPastTheDeadline_keepsThePlace() {
        for (Event event : EnumSet.of(Event.CONNECTED, Event.SUSPENDED, Event.PROVEN, Event.TIMER, Event.WAITS)) {
            Step step = AcquisitionMachine.step(State.WAITING, event, Validity.PAST_DEADLINE, Patience.SESSION);
            assertThat(step).isEqualTo(new Step(State.WAITING, EnumSet.noneOf(Effect.class)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "WAITING,  CLEAR,     PROVEN,   HELD,     GRANT ARM",
        "WAITING,  CLEAR,     UNPROVEN, UNPROVEN, PROVE",
        "UNPROVEN, PROVEN,    PROVEN,   HELD,     GRANT ARM",
        "UNPROVEN, CONNECTED, PROVEN,   HELD,     GRANT ARM",
        "UNPROVEN, CONNECTED, UNPROVEN, UNPROVEN, PROVE",
        "UNPROVEN, TIMEOUT,   PROVEN,   DONE,     LEAVE FAIL",
        "HELD,     SUSPENDED, UNPROVEN, HELD,     JEOPARDY",
        "HELD,     CONNECTED, UNPROVEN, HELD,     STEADY ARM",
        "HELD,     PROVEN,    PROVEN,   HELD,     EXTEND",
        "HELD,     TIMER,     PROVEN,   HELD,     ARM",
        "HELD,     CLOSE,     PROVEN,   DONE,     RELEASED LEAVE",
        "HELD,     CANCEL,    PROVEN,   DONE,     RELEASED LEAVE",
        "HELD,     GONE,      PROVEN,   DONE,     LOST",
        "HELD,     ENDED,     PROVEN,   DONE,     LOST",
        "WAITING,  ENDED,     PROVEN,   DONE,     FAIL",
        "UNPROVEN, ENDED,     PROVEN,   DONE,     FAIL",
    })
    void step_namedCases_goAsInTheTable(State from, Event event, Validity validity, State to, String effects) {
        Set<Effect> expected = EnumSet.noneOf(Effect.class);
        for (String effect : effects.split(" ", -1)) {
            expected.add(Effect.valueOf(effect));
        }
        assertThat(AcquisitionMachine.step(from, event, validity, Patience.SESSION))
                .isEqualTo(new Step(to, expected));
    }

    @Test
    void step_noWaitBehindOthers_givesUpAndLeaves() {
        Step step = AcquisitionMachine.step(State.WAITING, Event.WAITS, Validity.PROVEN, Patience.NONE);
        assertThat(step).isEqualTo(new Step(State.DONE, EnumSet.of(Effect.LEAVE, Effect.FAIL)));
    }
}
