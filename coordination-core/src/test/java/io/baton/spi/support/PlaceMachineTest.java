package io.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.support.PlaceMachine.Effect;
import io.baton.spi.support.PlaceMachine.Event;
import io.baton.spi.support.PlaceMachine.Phase;
import io.baton.spi.support.PlaceMachine.State;
import io.baton.spi.support.PlaceMachine.Step;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every state that can be reached, with every event, in every order. */
class PlaceMachineTest {

    private static final Set<Effect> TELLS = EnumSet.of(Effect.WAITING, Effect.CLEAR, Effect.LOST);
    private static final Set<Effect> CLOSES = EnumSet.of(Effect.CLOSE, Effect.CLOSE_WITH_SESSION);

    /** A state with the effects that there have been, in their order, without repetition of requests. */
    private record History(State state, List<Effect> told, boolean stopped, int closes) {

        static final History NEW = new History(State.NEW, List.of(), false, 0);

        History after(Step step) {
            Stream<Effect> now = step.effects().stream().filter(TELLS::contains);
            return new History(
                    step.next(),
                    Stream.concat(told.stream(), now).toList(),
                    stopped || step.effects().contains(Effect.STOP),
                    closes
                            + (int) step.effects().stream()
                                    .filter(CLOSES::contains)
                                    .count());
        }
    }

    private interface Check {
        void on(History before, Event event, Step step, History after);
    }

    private static void explore(Check check) {
        Set<History> seen = new HashSet<>();
        Deque<History> open = new ArrayDeque<>(List.of(History.NEW));
        while (!open.isEmpty()) {
            History before = open.remove();
            if (!seen.add(before)) {
                continue;
            }
            assertThat(seen).as("an end to what can happen").hasSizeLessThan(10_000);
            for (Event event : Event.values()) {
                Step step = PlaceMachine.step(before.state, event);
                History after = before.after(step);
                check.on(before, event, step, after);
                open.add(after);
            }
        }
        assertThat(seen.stream().map(history -> history.state.phase())).contains(Phase.values());
    }

    @Test
    void step_everyReachableState_tellsInOrderEachAtMostOnceAndNothingOnceLeft() {
        explore((before, event, step, after) -> {
            List<Effect> inOrder = Stream.of(Effect.WAITING, Effect.CLEAR, Effect.LOST)
                    .filter(after.told::contains)
                    .toList();
            assertThat(after.told).isEqualTo(inOrder);
            if (before.state.left()) {
                assertThat(after.told).as("%s in %s", event, before).isEqualTo(before.told);
            }
        });
    }

    @Test
    void step_everyReachableState_isClearOnlyWhileStandingAndWanted() {
        explore((before, event, step, after) -> {
            boolean becomesClear = step.next().phase() == Phase.CLEAR && before.state.phase() != Phase.CLEAR;
            assertThat(step.effects().contains(Effect.CLEAR)).isEqualTo(becomesClear);
            if (becomesClear) {
                assertThat(event).isEqualTo(Event.FIRST);
                assertThat(before.state.phase()).isEqualTo(Phase.STANDING);
                assertThat(before.state.left()).isFalse();
            }
        });
    }

    @Test
    void step_everyReachableState_standsOnlyAfterTheEntryWasSeen() {
        explore((before, event, step, after) -> {
            if (entered(step.next().phase()) && !entered(before.state.phase())) {
                assertThat(event).isEqualTo(Event.JOINED);
                assertThat(before.state.phase()).isIn(Phase.JOINING, Phase.DOUBT);
                assertThat(step.next().phase()).isEqualTo(Phase.STANDING);
            }
        });
    }

    @Test
    void step_everyReachableState_joinsOnlyWhenWantedAndCertainlyAbsent() {
        explore((before, event, step, after) -> {
            if (step.effects().contains(Effect.JOIN)) {
                assertThat(before.state.phase()).isEqualTo(Phase.ABSENT);
                assertThat(before.state.left()).isFalse();
            }
            if (step.next().phase() == Phase.ABSENT && before.state.phase() != Phase.ABSENT) {
                assertThat(event).isEqualTo(Event.UNDONE);
            }
        });
    }

    @Test
    void step_everyReachableState_closesOnceAndForGood() {
        explore((before, event, step, after) -> {
            assertThat(after.closes).isEqualTo(after.state.phase() == Phase.CLOSED ? 1 : 0);
            if (before.state.phase() == Phase.CLOSED) {
                assertThat(step.effects()).isEmpty();
                assertThat(step.next().phase()).isEqualTo(Phase.CLOSED);
            }
        });
    }

    @Test
    void step_everyReachableState_anEntryThatMayExistIsNeverForgotten() {
        explore((before, event, step, after) -> {
            if (step.effects().contains(Effect.CLOSE) && before.state.phase() != Phase.ABSENT) {
                // Refused, removed by somebody, or removed at our request; all else must wait or remove.
                assertThat(event).isIn(Event.GONE, Event.REMOVED);
            }
            if (step.effects().contains(Effect.CLOSE_WITH_SESSION)) {
                assertThat(event).isEqualTo(Event.ENDED);
            }
        });
    }

    @Test
    void step_everyReachableState_removesWhatIsLeftOnceItIsKnownToStand() {
        explore((before, event, step, after) -> {
            boolean becomesLeft = step.next().left() && !before.state.left();
            boolean becomesKnown = entered(step.next().phase()) && !entered(before.state.phase());
            boolean kept = event == Event.UNSEEN && before.state.phase() == Phase.CLEAR;
            if (step.next().left() && entered(step.next().phase()) && (becomesLeft || becomesKnown) && !kept) {
                assertThat(step.effects()).contains(Effect.REMOVE);
            }
            if (step.effects().contains(Effect.REMOVE)) {
                assertThat(step.next().left()).isTrue();
                assertThat(entered(step.next().phase())).isTrue();
            }
        });
    }

    @Test
    void step_everyReachableState_stopsWhenItIsLeftAndNeverEndsWithoutHavingStoppedOrNeverStarted() {
        explore((before, event, step, after) -> {
            boolean becomesLeft = step.next().left() && !before.state.left();
            boolean live = before.state.phase() != Phase.CLOSED;
            if (becomesLeft && live) {
                assertThat(step.effects()).contains(Effect.STOP);
            }
            if (step.effects().contains(Effect.STOP)) {
                assertThat(becomesLeft).isTrue();
            }
            if (step.effects().contains(Effect.LOST)) {
                assertThat(after.stopped).isTrue();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Phase.class,
            names = {"STANDING", "CLEAR"})
    void unseen_holdOrWaiter_onlyTheEntryOfAHoldStays(Phase phase) {
        Step step = PlaceMachine.step(new State(phase, true, false), Event.UNSEEN);

        assertThat(step.effects()).contains(Effect.STOP, Effect.LOST);
        assertThat(step.effects().contains(Effect.REMOVE)).isEqualTo(phase == Phase.STANDING);
        assertThat(step.next()).isEqualTo(new State(phase, true, true));
    }

    @Test
    void start_leftBeforeItCouldJoinAgain_closes() {
        Step step = PlaceMachine.step(new State(Phase.ABSENT, false, true), Event.START);

        assertThat(step.effects()).containsExactly(Effect.CLOSE);
    }

    @ParameterizedTest
    @EnumSource(Phase.class)
    void state_ofEachPhase_standsAndWaitsOnlyInTheLineAndWanted(Phase phase) {
        State wanted = new State(phase, true, false);
        State left = new State(phase, true, true);

        assertThat(wanted.waits()).isEqualTo(phase == Phase.STANDING);
        assertThat(wanted.stands()).isEqualTo(phase == Phase.STANDING || phase == Phase.CLEAR);
        assertThat(left.waits() || left.stands()).isFalse();
    }

    @Test
    void undone_joiningOrInDoubt_isAbsentAgain() {
        for (Phase phase : List.of(Phase.JOINING, Phase.DOUBT)) {
            Step step = PlaceMachine.step(new State(phase, false, false), Event.UNDONE);
            assertThat(step.next().phase()).isEqualTo(Phase.ABSENT);
        }
    }

    @Test
    void leave_closed_isLeft() {
        assertThat(PlaceMachine.step(new State(Phase.CLOSED, false, false), Event.LEAVE)
                        .next()
                        .left())
                .isTrue();
    }

    @Test
    void step_aWholeLife_hasTheseEffects() {
        State state = State.NEW;
        Object[][] life = {
            {Event.START, Set.of(Effect.JOIN)},
            {Event.SENT, Set.of()},
            {Event.UNANSWERED, Set.of()},
            {Event.JOINED, Set.of()},
            {Event.BEHIND, Set.of(Effect.WAITING)},
            {Event.BEHIND, Set.of()},
            {Event.FIRST, Set.of(Effect.CLEAR)},
            {Event.LEAVE, Set.of(Effect.STOP, Effect.REMOVE)},
            {Event.LEAVE, Set.of()},
            {Event.REMOVED, Set.of(Effect.CLOSE)},
        };
        for (Object[] act : life) {
            Step step = PlaceMachine.step(state, (Event) act[0]);
            assertThat(step.effects()).as(Arrays.toString(act)).isEqualTo(act[1]);
            state = step.next();
        }
        assertThat(state.phase()).isEqualTo(Phase.CLOSED);
    }

    private static boolean entered(Phase phase) {
        return phase == Phase.STANDING || phase == Phase.CLEAR;
    }
}
