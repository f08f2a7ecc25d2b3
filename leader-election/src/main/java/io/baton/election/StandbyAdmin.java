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
 * Shows the nodes of an election from any process, clears breadcrumbs and wakes waiting nodes. Needs no node of its
 * own.
 *
 * <p>This object keeps no state. <b>Threads.</b> All methods may be called by any thread.
 */
public final class StandbyAdmin {

    private final ElectionLine line;

    private StandbyAdmin(ElectionLine line) {
        this.line = line;
    }

    /** Returns the admin for the election of this name. Does not contact the store. */
    public static StandbyAdmin named(Coordinator coordinator, String name) {
        return new StandbyAdmin(ElectionLine.named(coordinator, name));
    }

    /**
     * Reads the state of all nodes.
     *
     * <p><b>Not guaranteed.</b> The answer may be outdated: a node that cannot reach the store reports nothing, and is
     * shown until its session ends. {@link StandbyMember#asOf()} and {@link LeaderState#asOf()} give the time of a
     * report.
     *
     * @throws io.baton.StoreUnavailableException if the store did not answer
     * @throws IllegalStateException if called from a callback: use {@link #overviewAsync}
     */
    public StandbyOverview overview() throws InterruptedException {
        checkMayWait();
        return Futures.interruptibly(read());
    }

    /** As {@link #overview} without waiting. */
    public CompletableFuture<StandbyOverview> overviewAsync() {
        return line.callbacks().completeInCallback(read());
    }

    /**
     * Removes a breadcrumb, so that its author is not fenced any more. Use it only after making sure by other means
     * that the author has stopped, for example if no fencer can reach it.
     *
     * <p><b>Guarantees.</b> Only the given breadcrumb is removed, never one that a node has written since. Nothing is
     * removed while the store counts its author as in contact, and so never while the author is active by it.
     *
     * <p><b>Given up.</b> Baton no longer ensures that the former active node has stopped before another is promoted;
     * the caller vouches for it. A node that was only frozen or cut off goes on until it checks its term. Its writes
     * with the leadership's guard or term are refused then, and nothing else that it does.
     *
     * @param left as {@link StandbyOverview#breadcrumb()} has shown it
     * @throws BreadcrumbException if there is another one by now, or none, or its author is in contact. An active
     *     author removes the breadcrumb itself when it is closed. Otherwise end its process, or make it active, as it
     *     need not fence itself
     * @throws io.baton.OutcomeUnknownException if it may have been removed; read the overview again
     * @throws io.baton.StoreUnavailableException if the store did not answer, and it was not removed
     * @throws IllegalStateException if called from a callback: use {@link #clearAsync}
     */
    public void clear(LeftBreadcrumb left) throws InterruptedException {
        checkMayWait();
        Futures.interruptibly(remove(left));
    }

    /** As {@link #clear} without waiting. */
    @CheckReturnValue
    public CompletableFuture<Void> clearAsync(LeftBreadcrumb left) {
        return line.callbacks().completeInCallback(remove(left));
    }

    /**
     * Makes all nodes that wait after a failure try again at once, as {@link ActiveStandby#wake()} does for one. Nodes
     * that are out of contact see the request when they are back.
     *
     * @param by the operator's name, for people: 1 to 512 bytes
     * @throws IllegalArgumentException if that is too long, blank, or has control characters
     * @throws io.baton.StoreUnavailableException if the store did not answer
     * @throws IllegalStateException if called from a callback: use {@link #wakeAsync}
     */
    public void wake(String by) throws InterruptedException {
        checkMayWait();
        Futures.interruptibly(write(by));
    }

    /** As {@link #wake} without waiting. */
    @CheckReturnValue
    public CompletableFuture<Void> wakeAsync(String by) {
        return line.callbacks().completeInCallback(write(by));
    }

    // ---- these complete on the loop

    private CompletableFuture<StandbyOverview> read() {
        return onLoop(() -> new NodesView(line).read());
    }

    private CompletableFuture<Void> remove(LeftBreadcrumb left) {
        return onLoop(() -> new NodesView(line).read().thenCompose(now -> clear(left, now)));
    }

    private CompletableFuture<Void> write(String by) {
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
        return Futures.callOnLoop(line.loop(), task);
    }

    private static void checkMayWait() {
        if (Callbacks.inside()) {
            throw new IllegalStateException(
                    "a callback must not wait for the store; use overviewAsync, clearAsync or wakeAsync");
        }
    }
}
