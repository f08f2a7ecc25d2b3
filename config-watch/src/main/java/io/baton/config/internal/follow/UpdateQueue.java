package io.baton.config.internal.follow;

import io.baton.recipe.ListenerQueue;
import java.util.Deque;

/**
 * How news wait for whoever applies them: up to 1,000 in order, then told as one, and one snapshot of all at most. So they
 * need no more room than that while a user's code takes its time.
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
