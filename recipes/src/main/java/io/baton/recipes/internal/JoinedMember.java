package io.baton.recipes.internal;

import io.baton.MembershipState;
import io.baton.SessionLostException;
import io.baton.Subscription;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerQueue;
import io.baton.recipe.Membership;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.GroupMember;
import io.baton.recipes.GroupMembership;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A membership in a group. Any thread. */
public final class JoinedMember implements GroupMembership {

    private final RecipeContext context;
    private final Resource group;
    private final GroupMember member;
    private final Membership membership;
    private final List<ListenerQueue<MembershipState>> states = new CopyOnWriteArrayList<>();
    private final List<ListenerQueue<String>> losses = new CopyOnWriteArrayList<>();
    private final List<OwnPartitions> assignments = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private CompletableFuture<Void> present = new CompletableFuture<>();

    private JoinedMember(RecipeContext context, Resource group, GroupMember member) {
        this.context = context;
        this.group = group;
        this.member = member;
        this.membership = context.lines().join(group, this::changed);
    }

    /** Joins as this member. */
    public static JoinedMember join(RecipeContext context, Resource group, GroupMember member) {
        var joining = new JoinedMember(context, group, member);
        joining.membership.publish(GroupEntry.encode(member));
        return joining;
    }

    /** On the loop. */
    private void changed(MembershipState state, String why) {
        if (state == MembershipState.JOINED || state == MembershipState.JEOPARDY) {
            joined.complete(null);
            present.complete(null);
        } else if (state == MembershipState.CLOSED) {
            var closed = new SessionLostException("the membership in " + group + " is closed");
            joined.completeExceptionally(closed);
            renew().completeExceptionally(closed);
        } else if (state == MembershipState.JOINING) {
            var unused = renew();
            losses.forEach(queue -> queue.offer(why));
        }
        states.forEach(queue -> queue.offer(state));
        assignments.forEach(own -> own.changed(state));
    }

    /** Returns the future of the present stand: one that is not done while this member is not in. On the loop. */
    private CompletableFuture<Void> renew() {
        if (present.isDone()) {
            present = new CompletableFuture<>();
        }
        return present;
    }

    /** Looks at the clock, too: a deadline may have passed unnoticed. On the loop. */
    private CompletableFuture<Void> present() {
        return state() == MembershipState.JOINING ? renew() : present;
    }

    @Override
    public String id() {
        return member.id();
    }

    @Override
    public MembershipState state() {
        return membership.state();
    }

    @Override
    public Duration remaining() {
        return membership.remaining();
    }

    @Override
    public boolean awaitJoined(Duration timeout) throws InterruptedException {
        CompletableFuture<Void> in = Futures.interruptibly(
                Futures.callOnLoop(context.loop(), () -> CompletableFuture.completedFuture(present())));
        if (Futures.awaitDone(timeout, in)) {
            Futures.interruptibly(in);
            return true;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while joining " + group);
        }
        return false;
    }

    @Override
    public CompletableFuture<Void> joinedAsync() {
        return context.callbacks().completeInCallback(joined);
    }

    @Override
    public void update(byte[] data) {
        membership.publish(GroupEntry.encode(GroupEntry.with(member, data)));
    }

    @Override
    public void update(String data) {
        update(data.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Subscription onState(Consumer<MembershipState> listener) {
        var queue =
                new ListenerQueue<MembershipState>(context.callbacks(), this, listener, ListenerQueue.Merge.newest());
        // On the loop, so that no change comes between the present state and the next one.
        context.loop().post(() -> {
            states.add(queue);
            queue.offer(state());
        });
        return subscription(states, queue);
    }

    @Override
    public Subscription onLost(Consumer<String> listener) {
        var queue = new ListenerQueue<String>(context.callbacks(), this, listener, ListenerQueue.Merge.newest());
        losses.add(queue);
        return subscription(losses, queue);
    }

    @Override
    public Subscription onAssignment(int partitions, Consumer<List<Integer>> listener) {
        var own = new OwnPartitions(this, partitions, context.callbacks(), listener);
        context.loop().post(() -> {
            assignments.add(own);
            own.observing(GroupMembers.observe(context, group, own::viewed));
            own.changed(state());
        });
        return () -> {
            own.close();
            context.loop().post(() -> {
                assignments.remove(own);
                own.end();
            });
        };
    }

    private <T> Subscription subscription(List<ListenerQueue<T>> all, ListenerQueue<T> queue) {
        return () -> {
            queue.close();
            context.loop().post(() -> all.remove(queue));
        };
    }

    @Override
    public void close() {
        CompletableFuture<Void> gone = membership.close();
        if (!Callbacks.inside()) {
            Futures.awaitDone(context.closeTimeout(), gone);
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        return context.callbacks().completeInCallback(membership.close());
    }

    @Override
    public String toString() {
        return "member " + member.id() + " of " + group;
    }
}
