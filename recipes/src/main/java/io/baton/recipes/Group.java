package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerQueue;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.internal.GroupEntry;
import io.baton.recipes.internal.GroupMembers;
import io.baton.recipes.internal.JoinedMember;
import io.baton.recipes.internal.SizeWait;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The processes that are there. Each member says something of itself, as its address, and all can see who is in.
 *
 * <pre>{@code
 * Group workers = Group.named(baton, "workers");
 * GroupMembership me = workers.join("10.0.0.7:8080");
 * me.onAssignment(256, partitions -> serve(partitions)); // none while this member is not in
 * }</pre>
 *
 * <p><b>Guarantees.</b> A member that ends without leaving is out once the store has ended its session: about {@link
 * Coordinator#ttl()} after its last contact. A member knows until when it is certain to be in ({@link
 * GroupMembership#remaining()}). A listener may miss a state that lasts for a moment; it is always given the last one.
 *
 * <p><b>Not guaranteed.</b> Two processes may see different members for a while. A view that is not {@link
 * GroupView#current()} is from before a break of contact.
 *
 * <p><b>Cost.</b> A join takes one write. Each change of a group costs each observer one reading of the list of members,
 * and one of a new entry. So groups are for hundreds of members, not for thousands. The object keeps no state. Any
 * thread may use it.
 *
 * <p><b>Failures.</b> {@link #members()} throws {@link io.baton.StoreUnavailableException} if the store does not answer
 * within the request timeout. Joining and observing go on until the store is there.
 */
public final class Group {

    /** The most that a member can say of itself. */
    public static final int MAX_DATA_BYTES = 8 * 1024;

    private final Resource group;
    private final RecipeContext context;

    private Group(Resource group, RecipeContext context) {
        this.group = group;
        this.context = context;
    }

    /**
     * Returns the group of this name. Does not contact the store.
     *
     * @param name any non-empty string of at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     */
    public static Group named(Coordinator coordinator, String name) {
        return new Group(Resource.group(name), RecipeContext.of(coordinator, "groups"));
    }

    /** Returns the group's name. */
    public String name() {
        return group.name();
    }

    /**
     * Joins the group, and stays in it until the membership or the coordinator is closed. Returns at once; {@link
     * GroupMembership#awaitJoined} waits until the member is in.
     *
     * @param data what the member says of itself, at most {@link #MAX_DATA_BYTES}
     */
    @CheckReturnValue
    public GroupMembership join(byte[] data) {
        return JoinedMember.join(context, group, GroupEntry.ofThisProcess(context, data));
    }

    /** {@link #join(byte[])} with text in UTF-8. */
    @CheckReturnValue
    public GroupMembership join(String data) {
        return join(data.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads the present members. */
    @CheckReturnValue
    public GroupView members() throws InterruptedException {
        return Futures.interruptibly(read());
    }

    /** {@link #members} without waiting. */
    @CheckReturnValue
    public CompletableFuture<GroupView> membersAsync() {
        return context.callbacks().completeInCallback(read());
    }

    private CompletableFuture<GroupView> read() {
        return context.lines().members(group).thenApply(all -> GroupMembers.view(all, true));
    }

    /**
     * Runs the listener on a callback thread with the members once they have been read, and with each change of them or
     * of {@link GroupView#current()}. Changes that come while it runs are merged.
     */
    public Subscription onChange(Consumer<GroupView> listener) {
        var queue = new ListenerQueue<GroupView>(context.callbacks(), group, listener, ListenerQueue.Merge.newest());
        Subscription observing = GroupMembers.observe(context, group, queue::offer);
        return () -> {
            queue.close();
            observing.close();
        };
    }

    /**
     * Waits until at least so many members are in.
     *
     * @return the members then
     * @throws io.baton.CoordinatorClosedException if the coordinator is closed
     */
    public GroupView awaitSize(int size) throws InterruptedException {
        return outcome(SizeWait.begin(context, group, size)).orElseThrow(IllegalStateException::new);
    }

    /**
     * Waits until at least so many members are in, but no longer than this.
     *
     * @param timeout how long to wait; zero or less reads the members once
     * @return the members then; empty if the time has passed
     * @throws io.baton.StoreUnavailableException if the store was not reached in this time
     */
    @CheckReturnValue
    public Optional<GroupView> awaitSize(int size, Duration timeout) throws InterruptedException {
        if (timeout.isZero() || timeout.isNegative()) {
            return Optional.of(members()).filter(view -> view.members().size() >= size);
        }
        SizeWait wait = SizeWait.begin(context, group, size);
        if (!Futures.awaitDone(timeout, wait.outcome())
                && !Thread.currentThread().isInterrupted()) {
            wait.timeOver();
        }
        return outcome(wait);
    }

    /** {@link #awaitSize(int)} without waiting. It completes on a callback thread. Cancelling it ends the wait. */
    @CheckReturnValue
    public CompletableFuture<GroupView> awaitSizeAsync(int size) {
        SizeWait wait = SizeWait.begin(context, group, size);
        CompletableFuture<GroupView> users = context.callbacks()
                .completeInCallback(wait.outcome().thenApply(view -> view.orElseThrow(IllegalStateException::new)));
        Futures.onDone(users, (view, failure) -> wait.giveUp());
        return users;
    }

    private static Optional<GroupView> outcome(SizeWait wait) throws InterruptedException {
        try {
            return Futures.interruptibly(wait.outcome());
        } catch (InterruptedException interrupted) {
            wait.giveUp();
            throw interrupted;
        }
    }

    @Override
    public String toString() {
        return group.toString();
    }
}
