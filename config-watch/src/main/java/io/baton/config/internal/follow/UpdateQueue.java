package io.baton.config.internal.follow;

import io.baton.recipe.ListenerQueue;
import java.util.Deque;

/**
 * The queue of updates to apply: up to 1,000 in order, with at most one snapshot. Beyond that they are merged, so the
 * queue stays bounded while users' code runs.
 */
public final class UpdateQueue implements ListenerQueue.Merge<StoreUpdate> {

    static final int MOST = 1_000;

    @Override
    public void add(Deque<StoreUpdate> pending, StoreUpdate next) {
        boolean two =
                next instanceof StoreUpdate.Whole && pending.stream().anyMatch(StoreUpdate.Whole.class::isInstance);
        if (two || pending.size() >= MOST) {
            StoreUpdate all = pending.removeFirst();
            while (!pending.isEmpty()) {
                all = all.then(pending.removeFirst());
            }
            pending.add(all.then(next));
        } else {
            pending.add(next);
        }
    }
}
