package io.baton.election;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.standby.Breadcrumbs;
import io.baton.election.internal.standby.NodesView;
import io.baton.election.internal.standby.WakeRecord;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Looks after the nodes of an election from any process: shows how they do, and does what an operator does by hand.
 * Needs no node of its own.
 *
 * <p>This object keeps no state. <b>Threads.</b> All methods may be called by any thread.
 */
public final class StandbyAdmin {

    private final ElectionLine line;

    private StandbyAdmin(ElectionLine line) {
        this.line = line;
    }

    /** For the nodes of the election of this name. Asks nothing of the store. */
    public static StandbyAdmin named(Coordinator coordinator, String name) {
        return new StandbyAdmin(ElectionLine.named(coordinator, name));
    }

    /**
     * How the nodes do.
     *
     * <p><b>Not guaranteed.</b> That it is still so: a node that cannot reach the store tells nothing, and is to be
     * seen until its session ends. {@link StandbyMember#asOf()} and {@link LeaderState#asOf()} say when it was.
     *
     * @throws io.baton.StoreUnavailableException if the store did not answer
     * @throws IllegalStateException if called from a callback: use {@link #overviewAsync}
     */
    public StandbyOverview overview() throws InterruptedException {
        checkMayWait();
        return Futures.interruptibly(overviewAsync());
    }

    /** As {@link #overview} without waiting. */
    public CompletableFuture<StandbyOverview> overviewAsync() {
        return onLoop(() -> new NodesView(line).read());
    }

    /**
     * Removes a breadcrumb, so that its author is not fenced any more: for an operator who has made sure by other means
     * that it does nothing any more, as where no fencer can reach it.
     *
     * <p><b>Guarantees.</b> Only the very breadcrumb that was looked at goes, never one that a node has written since.
     * While the store takes its author to be in contact, and so always while that is active by it, nothing is removed.
     *
     * <p><b>Given up.</b> That the former active one has stopped before another node is promoted: from here on that is
     * true because the caller says so. One that was only frozen or cut off goes on when it wakes until it looks at its
     * term; its writes with the leadership's guard or term are refused then, and nothing else that it does.
     *
     * @param left as {@link StandbyOverview#breadcrumb()} has shown it
     * @throws BreadcrumbException if it is another one by now, or none, or its author is in contact: if that is active,
     *     it removes the breadcrumb itself when it is closed; otherwise end its process, or make it active, as it need
     *     not fence itself
     * @throws io.baton.OutcomeUnknownException if it may have been removed: look again
     * @throws io.baton.StoreUnavailableException if the store did not answer, and it was not removed
     * @throws IllegalStateException if called from a callback: use {@link #clearAsync}
     */
    public void clear(LeftBreadcrumb left) throws InterruptedException {
        checkMayWait();
        Futures.interruptibly(clearAsync(left));
    }

    /** As {@link #clear} without waiting. */
    @CheckReturnValue
    public CompletableFuture<Void> clearAsync(LeftBreadcrumb left) {
        return onLoop(() -> new NodesView(line).read().thenCompose(now -> clear(left, now)));
    }

    /**
     * Has all nodes that wait after a failure try again at once, as {@link ActiveStandby#wake()} does for one. Nodes
     * that are out of contact hear of it when they are back.
     *
     * @param by who wants it, for people: 1 to 512 bytes
     * @throws IllegalArgumentException if that is too long, or not fit
     * @throws io.baton.StoreUnavailableException if the store did not answer
     * @throws IllegalStateException if called from a callback: use {@link #wakeAsync}
     */
    public void wake(String by) throws InterruptedException {
        checkMayWait();
        Futures.interruptibly(wakeAsync(by));
    }

    /** As {@link #wake} without waiting. */
    @CheckReturnValue
    public CompletableFuture<Void> wakeAsync(String by) {
        LeaderElection.text("by", by);
        if (by.isBlank()) {
            throw new IllegalArgumentException("nodes are told who wakes them: by must not be empty");
        }
        return onLoop(() -> new WakeRecord(line).write(by).thenAccept(written -> {}));
    }

    private CompletableFuture<Void> clear(LeftBreadcrumb left, StandbyOverview now) {
        Optional<LeftBreadcrumb> present = now.breadcrumb();
        Breadcrumb seen = left.breadcrumb();
        if (!present.map(each -> each.item().revision())
                .equals(Optional.of(left.item().revision()))) {
            return refused("it is not there any more"
                    + present.map(each -> "; another one is: of " + each.breadcrumb())
                            .orElse(""));
        }
        if (present.orElseThrow().inContact()) {
            return refused("the node " + seen
                    + " is in contact with the store, or was until a moment ago and its session has" + " not ended");
        }
        return new Breadcrumbs(line)
                .remove(left.item())
                .thenCompose(removed -> removed
                        ? CompletableFuture.completedFuture(null)
                        : refused("another node has written its own meanwhile"));
    }

    private static CompletableFuture<Void> refused(String why) {
        return CompletableFuture.failedFuture(new BreadcrumbException("the breadcrumb was not removed: " + why));
    }

    private <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> task) {
        return line.callbacks().completeInCallback(Futures.callOnLoop(line.loop(), task));
    }

    private static void checkMayWait() {
        if (Callbacks.inside()) {
            throw new IllegalStateException(
                    "a callback must not wait for the store; use lookAsync, clearAsync or wakeAsync");
        }
    }
}
