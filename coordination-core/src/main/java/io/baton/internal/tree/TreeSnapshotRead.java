package io.baton.internal.tree;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.internal.session.SessionRegistry;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Texts;
import io.baton.recipe.TreeFollower;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads a consistent snapshot of a tree: subscribes, and cancels after the first snapshot. On the loop. */
public final class TreeSnapshotRead implements TreeFollower {

    private final CompletableFuture<List<Item>> told = new CompletableFuture<>();

    private TreeSnapshotRead() {}

    /** Reads a tree in the present session or the next, within this time. Any thread; completes on the loop. */
    public static CompletableFuture<List<Item>> of(
            String tree, SessionRegistry<TreeSubscription> trees, ClientLoop loop, Duration timeout) {
        TreeSnapshotRead whole = new TreeSnapshotRead();
        Subscription following = trees.add(new TreeSubscription(tree, whole));
        Loop.Timer late = loop.after(
                timeout,
                () -> whole.told.completeExceptionally(new StoreUnavailableException(
                        "a read of all of " + tree + " was not answered within " + Texts.of(timeout))));
        Futures.onDone(whole.told, (items, failure) -> {
            late.cancel();
            following.close();
        });
        return whole.told;
    }

    @Override
    public void snapshot(List<Item> all, Position at) {
        told.complete(List.copyOf(all));
    }

    @Override
    public void changed(List<Item> put, List<RecordKey> gone, long revision) {}

    @Override
    public void connected() {}

    @Override
    public void suspended() {}

    @Override
    public void lost() {}

    @Override
    public void closed() {
        told.completeExceptionally(RecipeContext.closedException());
    }
}
