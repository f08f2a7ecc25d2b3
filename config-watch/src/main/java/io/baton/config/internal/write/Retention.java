package io.baton.config.internal.write;

import io.baton.Op;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.RetryLoop;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.record.SpaceRead;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Writes the limits of the history, and removes the excess. On the loop. */
public final class Retention implements RetryLoop.Attempt {

    private static final int AT_ONCE = 100;

    private final Space space;
    private final ConfigSpace store;
    private final UnaryOperator<SpaceHead> setting;
    private final RetryLoop<Boolean> tries;
    private boolean written;
    private long left;

    private Retention(Space space, UnaryOperator<SpaceHead> setting, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.setting = setting;
        this.tries = new RetryLoop<>(store, timeout);
    }

    /**
     * Writes it. Any thread; completes on the loop.
     *
     * @param setting the new limits
     */
    public static CompletableFuture<Boolean> of(Space space, UnaryOperator<SpaceHead> setting, Duration timeout) {
        Retention retention = new Retention(space, setting, timeout);
        return retention.tries.of(retention);
    }

    /** Nothing is lost by writing it again. */
    @Override
    public String unknown() {
        return "";
    }

    @Override
    public String written() {
        return written
                ? "the limits of the history of " + store.tree() + " are written, and the same once more removes the "
                        + left + " changes that could not be removed"
                : "";
    }

    @Override
    public void begin() {
        Futures.onDone(space.read(List.of()), (present, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else {
                write(present);
            }
        });
    }

    private void write(SpaceRead present) {
        SpaceHead head = present.head();
        SpaceHead next = setting.apply(head).trimmed(AT_ONCE);
        if (tries.isDone() || next.equals(head)) {
            tries.complete(true);
            return;
        }
        List<Op> ops = new ArrayList<>();
        ops.add(Op.put(space.key(SpaceHead.KEY), next.encode()));
        for (long each = head.oldest(); each < next.oldest(); each++) {
            ops.add(Op.delete(space.historyKey(each)));
        }
        Futures.onDone(store.write(List.of(present.headGuard()), ops), (applied, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else if (applied) {
                written = true;
                left = next.trimmed(Integer.MAX_VALUE).oldest() - next.oldest();
                removeRest();
            } else {
                tries.retryLater(this::begin);
            }
        });
    }

    private void removeRest() {
        if (left == 0) {
            tries.complete(true);
        } else {
            begin();
        }
    }
}
