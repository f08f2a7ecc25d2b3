package io.baton.config;

import io.baton.Op;
import io.baton.internal.ConfigSpace;
import io.baton.internal.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writes how many changes are kept, and takes away those that are too many. On the loop. */
final class Retention implements Tries.Attempt {

    private static final int AT_ONCE = 100;

    private final Space space;
    private final ConfigSpace store;
    private final int keep;
    private final Tries<Boolean> tries;

    private Retention(Space space, int keep, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.keep = keep;
        this.tries = new Tries<>(store, timeout);
    }

    /** Writes it. Any thread; completes on the loop. */
    static CompletableFuture<Boolean> of(Space space, int keep, Duration timeout) {
        Retention retention = new Retention(space, keep, timeout);
        return retention.tries.of(retention);
    }

    /** Nothing is lost by saying it again. */
    @Override
    public String unknown() {
        return "";
    }

    @Override
    public void begin() {
        Waits.onDone(space.read(List.of()), (present, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else {
                write(present);
            }
        });
    }

    private void write(Present present) {
        SpaceHead head = present.head();
        long keepFrom = Math.max(head.oldest(), head.change() - keep + 1);
        if (tries.over() || (head.retain() == keep && head.oldest() == keepFrom)) {
            tries.done(true);
            return;
        }
        long oldest = Math.min(keepFrom, head.oldest() + AT_ONCE);
        List<Op> ops = new ArrayList<>();
        ops.add(Op.put(space.key(SpaceHead.KEY), new SpaceHead(head.change(), oldest, keep, head.secrets()).encode()));
        for (long each = head.oldest(); each < oldest; each++) {
            ops.add(Op.delete(space.historyKey(each)));
        }
        Waits.onDone(store.write(List.of(present.headGuard()), ops), (applied, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else if (applied) {
                begin();
            } else {
                tries.later(this::begin);
            }
        });
    }
}
