package io.baton.election.internal.standby;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.ActiveStandby;
import io.baton.election.internal.standby.StandbyMachine.Effect;
import io.baton.election.internal.standby.StandbyMachine.Event;
import io.baton.election.internal.standby.StandbyMachine.Phase;
import io.baton.election.internal.standby.StandbyMachine.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every phase that can be reached, with every event that can happen there. */
class StandbyMachineTest {

    /** What there is around the machine. */
    private record World(
            Phase phase,
            String runs,
            boolean asked,
            boolean mine,
            boolean promoted,
            boolean told,
            boolean left,
            boolean pause) {}

    private final Set<World> seen = new HashSet<>();
    private final Set<Phase> phases = EnumSet.noneOf(Phase.class);

    @Test
    void step_whateverHappens_keepsTheRules() {
        Deque<World> open =
                new ArrayDeque<>(List.of(new World(Phase.STANDBY, "", false, false, false, false, false, false)));
        while (!open.isEmpty()) {
            World world = open.pop();
            if (seen.add(world)) {
                phases.add(world.phase());
                for (Event event : possible(world)) {
                    World next = after(world, event);
                    if (next != null) {
                        open.add(next);
                    }
                }
            }
        }

        assertThat(phases).containsExactlyInAnyOrder(Phase.values());
        assertThat(seen.size()).isGreaterThan(20);
    }

    @Test
    void step_breadcrumbRefusedTooOften_leavesTheElectionUnpromoted() {
        for (Phase phase : List.of(Phase.READING, Phase.CLAIMING)) {
            assertThat(StandbyMachine.step(phase, Event.EXHAUSTED))
                    .as(phase.name())
                    .isEqualTo(new Step(Phase.LEAVING, Set.of(Effect.LEAVE)));
        }
    }

    @Test
    void step_woken_concernsWhatWaitsAndNothingElse() {
        for (Phase phase : Phase.values()) {
            Step step = StandbyMachine.step(phase, Event.WOKEN);
            if (phase == Phase.PAUSING) {
                assertThat(step).isEqualTo(StandbyMachine.step(phase, Event.AGAIN));
            } else {
                assertThat(step).as(phase.name()).isEqualTo(new Step(phase, Set.of()));
            }
        }
    }

    @Test
    void shown_ofEachPhase_isOneOfTheFour() {
        assertThat(Phase.values()).extracting(Phase::shown).doesNotContain(ActiveStandby.State.CLOSED);
    }

    /** Whatever the store, the hooks, the fencer and the election can have to say. */
    private static List<Event> possible(World world) {
        List<Event> possible = new ArrayList<>();
        if (world.phase() == Phase.STANDBY) {
            return List.of(Event.ELECTED);
        }
        possible.add(Event.WOKEN);
        if (!world.told()) {
            possible.add(Event.STOP);
        }
        if (world.asked()) {
            possible.addAll(List.of(Event.UNSURE, Event.EXHAUSTED));
            possible.addAll(
                    world.phase() == Phase.READING
                            ? List.of(Event.CLEAR, Event.UNCLEAN, Event.SUSPECT, Event.CLAIMED)
                            : world.phase() == Phase.SWEEPING
                                    ? List.of(Event.SWEPT, Event.KEPT)
                                    : List.of(Event.CLAIMED));
        }
        if (world.runs().equals("fencer")) {
            possible.addAll(List.of(Event.FENCED, Event.UNCLEAN, Event.UNFENCED, Event.EXHAUSTED, Event.OVERDUE));
        } else if (!world.runs().isEmpty()) {
            possible.addAll(List.of(Event.RETURNED, Event.THREW, Event.OVERDUE));
        }
        if (world.pause()) {
            possible.add(Event.AGAIN);
        }
        return possible;
    }

    /** Null: over. */
    private World after(World before, Event event) {
        Step step = StandbyMachine.step(before.phase(), event);
        boolean returned = Set.of(Event.RETURNED, Event.THREW, Event.FENCED, Event.UNFENCED, Event.EXHAUSTED)
                        .contains(event)
                || (event == Event.UNCLEAN && before.runs().equals("fencer"));
        boolean answered = Set.of(
                        Event.UNSURE,
                        Event.EXHAUSTED,
                        Event.CLEAR,
                        Event.UNCLEAN,
                        Event.SUSPECT,
                        Event.CLAIMED,
                        Event.SWEPT,
                        Event.KEPT)
                .contains(event);
        String runs = returned ? "" : before.runs();
        boolean asked = before.asked() && !answered;
        boolean mine = (before.mine() || event == Event.CLAIMED) && event != Event.SWEPT;
        boolean promoted =
                before.promoted() && !(event == Event.RETURNED && before.runs().equals("demotion"));
        // Whatever ends a pause ends its timer.
        boolean pause = before.pause() && event != Event.AGAIN && before.phase() != Phase.PAUSING;
        boolean told = before.told() || event == Event.STOP;
        boolean left = before.left();
        String where = before + " " + event + " " + step;
        for (Effect effect : step.effects()) {
            switch (effect) {
                case READ, CLAIM, SWEEP -> {
                    assertThat(asked).as(where).isFalse();
                    assertThat(runs).as(where).isEmpty();
                    asked = true;
                }
                case FENCE, PROMOTE, DEMOTE -> {
                    assertThat(runs).as(where).isEmpty();
                    runs = effect == Effect.FENCE ? "fencer" : effect == Effect.PROMOTE ? "promotion" : "demotion";
                }
                case INTERRUPT -> assertThat(runs).as(where).isNotEmpty();
                case PAUSE -> pause = true;
                case LEAVE -> {
                    assertThat(left).as(where).isFalse();
                    left = true;
                }
                case END -> {
                    assertThat(runs).as(where).isEmpty();
                    assertThat(told).as(where).isTrue();
                    boolean failed = event == Event.THREW;
                    assertThat(!promoted || failed).as(where).isTrue();
                }
            }
            if (effect == Effect.PROMOTE) {
                assertThat(mine && !told).as(where).isTrue();
                promoted = true;
            }
            if (effect == Effect.SWEEP) {
                assertThat(promoted).as(where).isFalse();
            }
            if (effect == Effect.DEMOTE && event != Event.UNCLEAN) {
                assertThat(told).as(where).isTrue();
            }
        }
        assertThat(step.next() == Phase.ACTIVE && (!promoted || told || left))
                .as(where)
                .isFalse();
        boolean stuck = runs.isEmpty() && !asked && !pause && told && step.next() != Phase.STANDBY;
        assertThat(stuck).as(where).isFalse();
        return step.next() == Phase.STANDBY
                ? null
                : new World(step.next(), runs, asked, mine, promoted, told, left, pause);
    }
}
