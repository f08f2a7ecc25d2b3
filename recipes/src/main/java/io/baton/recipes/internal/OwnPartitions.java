package io.baton.recipes.internal;

import io.baton.MembershipState;
import io.baton.Subscription;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ListenerGuard;
import io.baton.recipe.ListenerQueue;
import io.baton.recipes.Assignment;
import io.baton.recipes.GroupMembership;
import io.baton.recipes.GroupView;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Tells a listener which partitions a member serves. On the loop, except where a method says otherwise. */
final class OwnPartitions {

    private final GroupMembership member;
    private final int partitions;
    private final Consumer<List<Integer>> listener;
    private final ListenerQueue<List<String>> queue;
    private Subscription observing = () -> {};
    private GroupView seen = new GroupView(List.of(), false);
    private boolean in;
    // What the listener was told last; touched by calls of it alone, which follow each other.
    private List<Integer> told = List.of();

    /** Any thread. */
    OwnPartitions(GroupMembership member, int partitions, Callbacks callbacks, Consumer<List<Integer>> listener) {
        if (partitions < 1) {
            throw new IllegalArgumentException("an assignment needs at least one partition, not " + partitions);
        }
        this.member = member;
        this.partitions = partitions;
        this.listener = listener;
        this.queue = new ListenerQueue<>(
                callbacks, new ListenerGuard(listener, member), this::tell, OwnPartitions::add, members -> false);
    }

    /** Keeps the newest, and that there were none in front of it: what was lost ends before it begins again. */
    private static void add(Deque<List<String>> pending, List<String> members) {
        if (members.isEmpty()) {
            pending.clear();
        } else if (!pending.isEmpty() && !pending.getLast().isEmpty()) {
            pending.removeLast();
        }
        pending.addLast(members);
    }

    /** Ends this observation with the membership, or by {@link #end}. */
    void observing(Subscription observation) {
        observing = observation;
    }

    void viewed(GroupView view) {
        seen = view;
        changed();
    }

    void changed(MembershipState state) {
        in = isIn(state);
        changed();
        if (state == MembershipState.CLOSED) {
            observing.close();
        }
    }

    private void changed() {
        if (!in) {
            queue.offer(List.of());
        } else if (seen.current()) { // a view from before a break of contact says nothing new
            queue.offer(seen.ids().contains(member.id()) ? seen.ids() : List.of());
        }
    }

    /** Tells the partitions among these members, of which this one is one; none if there are none. On a callback thread. */
    private void tell(List<String> members) {
        // A deadline that passed while the process was frozen is noticed here first.
        boolean serves = !members.isEmpty() && isIn(member.state());
        List<Integer> now = serves ? Assignment.of(members, partitions).partitionsOf(member.id()) : List.of();
        if (!now.equals(told)) {
            told = now;
            listener.accept(now);
        }
    }

    private static boolean isIn(MembershipState state) {
        return state == MembershipState.JOINED || state == MembershipState.JEOPARDY;
    }

    /** The listener is called no more. Any thread. */
    void close() {
        queue.close();
    }

    void end() {
        observing.close();
    }
}
