package io.baton.election.internal.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.internal.handover.HandOverMachine.Effect;
import io.baton.election.internal.handover.HandOverMachine.Event;
import io.baton.election.internal.handover.HandOverMachine.State;
import io.baton.election.internal.handover.HandOverMachine.Step;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every state, every event, and whole hand-overs. */
class HandOverMachineTest {

    /** Before anything has happened to the leader's work. */
    private static final Set<State> HARMLESS =
            EnumSet.of(State.SEEKING, State.PREPARING, State.OFFERED, State.REPEATING, State.CLEARING);

    private static final Set<State> GIVING_UP = EnumSet.of(State.TRANSFERRING, State.RESOLVING);

    @Test
    void step_always_stopsTheWorkOnlyWhenTheCandidateIsReadyAndNobodyStandsBetween() {
        everyStep((from, event, asked, step) -> {
            boolean agrees = from == State.CLEARING && event == Event.CLEARED;
            assertThat(step.effects().contains(Effect.AGREE))
                    .as("%s, %s", from, event)
                    .isEqualTo(agrees);
            assertThat(step.next() == State.AGREED && from != State.AGREED).isEqualTo(agrees);
        });
    }

    @Test
    void step_always_givesUpTheEntryOnlyWhenTheWorkHasStopped() {
        everyStep((from, event, asked, step) -> {
            assertThat(step.effects().contains(Effect.TRANSFER))
                    .as("%s, %s", from, event)
                    .isEqualTo(from == State.AGREED && event == Event.STOPPED);
            assertThat(step.effects().contains(Effect.GIVE_BACK))
                    .isEqualTo(from == State.TRANSFERRING
                            && (event == Event.TRANSFERRED || event == Event.NOT_TRANSFERRED));
        });
    }

    @Test
    void step_entryIsBeingGivenUp_onlyTheStoreEndsIt() {
        everyStep((from, event, asked, step) -> {
            if (GIVING_UP.contains(from)
                    && EnumSet.of(Event.FAILED, Event.LATE, Event.CANCEL, Event.REFUSED)
                            .contains(event)) {
                assertThat(step).isEqualTo(new Step(from, Set.of()));
            }
        });
    }

    @Test
    void step_timeIsOverOrTheStoreRefuses_endsItWhileNothingHasHappenedToTheWork() {
        everyStep((from, event, asked, step) -> {
            if (event == Event.LATE || event == Event.FAILED) {
                assertThat(step.effects().contains(Effect.FAIL))
                        .as("%s, %s", from, event)
                        .isEqualTo(HARMLESS.contains(from));
            }
        });
    }

    @Test
    void step_cancelled_endsItUntilTheEntryIsBeingGivenUp() {
        everyStep((from, event, asked, step) -> {
            if (event == Event.CANCEL) {
                assertThat(step.effects().contains(Effect.FAIL))
                        .as("%s", from)
                        .isEqualTo(HARMLESS.contains(from) || from == State.AGREED);
            }
        });
    }

    @Test
    void step_candidateRefuses_endsItOnceItWasOffered() {
        everyStep((from, event, asked, step) -> {
            if (event == Event.REFUSED) {
                boolean offered = EnumSet.of(State.OFFERED, State.REPEATING, State.CLEARING)
                        .contains(from);
                assertThat(step.effects().contains(Effect.FAIL)).as("%s", from).isEqualTo(offered);
            }
        });
    }

    @Test
    void step_failsBeforeTheEntryIsGivenUp_theRecordIsToSaySoIfItSaysAnything() {
        everyStep((from, event, asked, step) -> {
            boolean written = asked ? from != State.PREPARING : from != State.SEEKING && from != State.PREPARING;
            boolean fails = step.effects().contains(Effect.FAIL) && from != State.RESOLVING;
            assertThat(step.effects().contains(Effect.RECORD_FAILURE))
                    .as("%s, %s, %s", from, event, asked)
                    .isEqualTo(fails && written);
        });
    }

    @Test
    void step_always_endsOnceAndDoesNothingAfterwards() {
        everyStep((from, event, asked, step) -> {
            boolean ends =
                    step.effects().contains(Effect.SUCCEED) != step.effects().contains(Effect.FAIL);
            assertThat(ends).as("%s, %s", from, event).isEqualTo(from != State.OVER && step.next() == State.OVER);
            if (from == State.OVER) {
                assertThat(step).isEqualTo(new Step(State.OVER, Set.of()));
            }
        });
    }

    @Test
    void step_ready_isTakenWhereTheOfferMayHaveBeenSeen() {
        everyStep((from, event, asked, step) -> {
            if (event == Event.READY) {
                boolean offered = from == State.OFFERED || from == State.REPEATING;
                assertThat(step.effects().contains(Effect.REMOVE_BETWEEN))
                        .as("%s", from)
                        .isEqualTo(offered);
            }
        });
    }

    @Test
    void handOver_askedInTheRecord_takesItsWay() {
        assertThat(course(
                        true,
                        Event.FOUND,
                        Event.NOT_OFFERED,
                        Event.READ,
                        Event.READY,
                        Event.NOT_REMOVED,
                        Event.REMOVED,
                        Event.CLEARED,
                        Event.STOPPED,
                        Event.TRANSFERRED))
                .containsExactly(
                        Set.of(Effect.OFFER),
                        Set.of(Effect.READ_RECORD),
                        Set.of(Effect.OFFER),
                        Set.of(Effect.REMOVE_BETWEEN),
                        Set.of(Effect.READ_LINE),
                        Set.of(Effect.REMOVE_BETWEEN),
                        Set.of(Effect.AGREE),
                        Set.of(Effect.TRANSFER),
                        Set.of(Effect.GIVE_BACK, Effect.SUCCEED));
    }

    @Test
    void handOver_ofTheLeaderItself_readsTheRecordFirst() {
        assertThat(course(false, Event.FOUND, Event.READ, Event.READY, Event.CLEARED))
                .containsExactly(
                        Set.of(Effect.READ_RECORD),
                        Set.of(Effect.OFFER),
                        Set.of(Effect.REMOVE_BETWEEN),
                        Set.of(Effect.AGREE));
    }

    @Test
    void handOver_candidateLeadsAlready_isDone() {
        assertThat(course(true, Event.ALREADY)).containsExactly(Set.of(Effect.RECORD_DONE, Effect.SUCCEED));
        assertThat(course(false, Event.ALREADY)).containsExactly(Set.of(Effect.SUCCEED));
    }

    @Test
    void handOver_notKnownWhetherTheEntryIsGivenUp_theRecordTells() {
        Step unknown = HandOverMachine.step(State.TRANSFERRING, Event.NOT_TRANSFERRED, true);
        assertThat(unknown).isEqualTo(new Step(State.RESOLVING, Set.of(Effect.GIVE_BACK, Effect.RESOLVE)));
        assertThat(HandOverMachine.step(State.RESOLVING, Event.RESOLVED, true))
                .isEqualTo(new Step(State.OVER, Set.of(Effect.SUCCEED)));
        assertThat(HandOverMachine.step(State.RESOLVING, Event.NOT_RESOLVED, true))
                .isEqualTo(new Step(State.OVER, Set.of(Effect.FAIL)));
    }

    @Test
    void step_everyState_canBeReached() {
        Set<State> reached = new HashSet<>(Set.of(State.SEEKING));
        everyStep((from, event, asked, step) -> reached.add(step.next()));
        assertThat(reached).containsExactlyInAnyOrder(State.values());
    }

    private static List<Set<Effect>> course(boolean asked, Event... events) {
        var state = new State[] {State.SEEKING};
        return List.of(events).stream()
                .map(event -> {
                    Step step = HandOverMachine.step(state[0], event, asked);
                    state[0] = step.next();
                    return step.effects();
                })
                .toList();
    }

    private interface Check {
        void look(State from, Event event, boolean asked, Step step);
    }

    private static void everyStep(Check check) {
        for (State from : State.values()) {
            for (Event event : Event.values()) {
                for (boolean asked : new boolean[] {false, true}) {
                    check.look(from, event, asked, HandOverMachine.step(from, event, asked));
                }
            }
        }
    }
}
