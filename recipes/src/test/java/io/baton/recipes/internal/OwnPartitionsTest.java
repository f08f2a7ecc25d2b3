package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.MembershipState;
import io.baton.recipe.Callbacks;
import io.baton.recipes.Assignment;
import io.baton.recipes.GroupMember;
import io.baton.recipes.GroupMembership;
import io.baton.recipes.GroupView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnPartitionsTest {

    private static final int PARTITIONS = 16;
    private static final List<Integer> ALL =
            IntStream.range(0, PARTITIONS).boxed().toList();

    private final PendingCallbacks callbacks = new PendingCallbacks();
    private final List<List<Integer>> served = new ArrayList<>();
    private final List<String> observations = new ArrayList<>();
    private MembershipState state = MembershipState.JOINING;
    private OwnPartitions own;

    /** Runs what is to be run when it is told to. */
    private static final class PendingCallbacks implements Callbacks {

        private final Deque<Runnable> pending = new ArrayDeque<>();

        @Override
        public boolean run(Runnable task) {
            return pending.add(task);
        }

        @Override
        public boolean runUrgently(Runnable task) {
            return run(task);
        }

        @Override
        public void runReliably(Runnable task) {
            pending.add(task);
        }

        @Override
        public boolean abandoned() {
            return false;
        }

        void runAll() {
            for (Runnable task = pending.poll(); task != null; task = pending.poll()) {
                task.run();
            }
        }
    }

    @BeforeEach
    void register() {
        own = new OwnPartitions(member(), PARTITIONS, callbacks, served::add);
        own.observing(() -> observations.add("ended"));
        own.changed(state);
    }

    private GroupMembership member() {
        return Stub.of(GroupMembership.class, Map.of("id", arguments -> "me", "state", arguments -> state));
    }

    private void becomes(MembershipState next) {
        state = next;
        own.changed(next);
    }

    private void view(boolean current, String... ids) {
        own.viewed(new GroupView(
                Arrays.stream(ids)
                        .map(id -> new GroupMember(id, new byte[0], "web-1", 4711))
                        .toList(),
                current));
    }

    private static List<Integer> of(String... ids) {
        return Assignment.of(List.of(ids), PARTITIONS).partitionsOf("me");
    }

    /** A member that serves all partitions, and has been told so. */
    private void servesAll() {
        view(true, "me");
        becomes(MembershipState.JOINED);
        callbacks.runAll();
        assertThat(served).containsExactly(ALL);
        served.clear();
    }

    @Test
    void partitions_ofTheMembers_areToldWithEachChange() {
        servesAll();

        view(true, "me", "other");
        callbacks.runAll();
        view(true, "me");
        callbacks.runAll();

        assertThat(served).containsExactly(of("me", "other"), ALL);
    }

    @Test
    void partitions_notInOrNotInTheView_areNone() {
        view(true, "me");
        callbacks.runAll();
        becomes(MembershipState.JOINED);
        view(true, "other");
        callbacks.runAll();
        assertThat(served).isEmpty();

        view(true, "me");
        callbacks.runAll();
        view(true, "other");
        callbacks.runAll();
        assertThat(served).containsExactly(ALL, List.of());
    }

    @Test
    void partitions_viewFromBeforeABreak_stayAsTheyAreUntilTheMemberIsOut() {
        servesAll();

        becomes(MembershipState.JEOPARDY);
        view(false, "me", "other");
        callbacks.runAll();
        assertThat(served).isEmpty();

        becomes(MembershipState.JOINING);
        callbacks.runAll();
        becomes(MembershipState.JOINED);
        callbacks.runAll();
        assertThat(served).as("the view is not current yet").containsExactly(List.of());

        view(true, "me", "other");
        callbacks.runAll();
        assertThat(served).containsExactly(List.of(), of("me", "other"));
    }

    @Test
    void partitions_lostAndInAgainBeforeTheListenerRuns_endAndBeginAgain() {
        servesAll();

        becomes(MembershipState.JOINING);
        becomes(MembershipState.JOINED);
        view(true, "me", "other");
        callbacks.runAll();
        assertThat(served).containsExactly(List.of(), of("me", "other"));

        view(true, "other");
        view(true, "me", "other");
        callbacks.runAll();
        assertThat(served).containsExactly(List.of(), of("me", "other"), List.of(), of("me", "other"));
    }

    @Test
    void partitions_changedSeveralTimesBeforeTheListenerRuns_areToldOnce() {
        servesAll();

        view(true, "me", "other");
        view(true, "me", "another", "other");
        callbacks.runAll();

        assertThat(served).containsExactly(of("me", "another", "other"));
    }

    @Test
    void partitions_nothingChangedForThisMember_areNotToldAgain() {
        servesAll();

        becomes(MembershipState.JEOPARDY);
        becomes(MembershipState.JOINED);
        view(true, "me");
        callbacks.runAll();

        assertThat(served).isEmpty();
    }

    @Test
    void partitions_deadlinePassedUnnoticed_areNoneAtTheFirstLook() {
        servesAll();
        view(true, "me", "other");
        state = MembershipState.JOINING; // by the clock; the loop has not run yet

        callbacks.runAll();

        assertThat(served).containsExactly(List.of());
    }

    @Test
    void partitions_viewChangesWhileTheListenerRuns_areToldAfterIt() {
        List<String> calls = new ArrayList<>();
        own = new OwnPartitions(member(), PARTITIONS, callbacks, partitions -> {
            calls.add("begins " + partitions.size());
            if (calls.size() == 1) {
                view(true, "me");
                callbacks.runAll();
            }
            calls.add("ends");
        });
        becomes(MembershipState.JOINED);

        view(true, "me", "other");
        callbacks.runAll();

        assertThat(calls).containsExactly("begins " + of("me", "other").size(), "ends", "begins " + PARTITIONS, "ends");
    }

    @Test
    void membership_closed_servesNoneAndObservesNoMore() {
        servesAll();

        becomes(MembershipState.CLOSED);
        callbacks.runAll();

        assertThat(served).containsExactly(List.of());
        assertThat(observations).containsExactly("ended");
    }

    @Test
    void close_pendingPartitions_areNotTold() {
        servesAll();
        view(true, "me", "other");

        own.close();
        callbacks.runAll();

        assertThat(served).isEmpty();
    }

    @Test
    void partitions_lessThanOne_areRefused() {
        assertThatThrownBy(() -> new OwnPartitions(member(), 0, callbacks, served::add))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 0");
    }
}
