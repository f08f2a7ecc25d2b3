package io.baton.recipes.internal;

import io.baton.recipe.ClientLoop;
import java.time.Duration;

/**
 * Whose turn it is to decide, where several could. One decides at once. The others leave it that chance, and decide if
 * nothing has changed a little later. On the loop.
 */
final class DecisionTurn {

    private static final Duration CHANCE = Duration.ofMillis(200);

    private final ClientLoop loop;
    private Object waitedWith = "";
    private boolean waits;

    DecisionTurn(ClientLoop loop) {
        this.loop = loop;
    }

    /**
     * Returns whether to decide now.
     *
     * @param mine whether it is this one's turn
     * @param view what the decision rests on
     * @param again called a little later, unless it is to decide now; has to ask this method again
     */
    boolean comes(boolean mine, Object view, Runnable again) {
        if (mine || view.equals(waitedWith)) {
            return true;
        }
        if (!waits) {
            waits = true;
            later(() -> {
                waits = false;
                waitedWith = view;
                again.run();
            });
        }
        return false;
    }

    /** Calls this a little later. */
    void later(Runnable again) {
        loop.after(loop.jittered(CHANCE), again);
    }

    /** Calls this later, the later the more often the store has refused a step. */
    void later(StoreRefusals refusals, Runnable again) {
        loop.after(refusals.pause(CHANCE), again);
    }
}
