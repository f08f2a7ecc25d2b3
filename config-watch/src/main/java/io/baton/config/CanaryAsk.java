package io.baton.config;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.internal.ConfigSpace;
import io.baton.internal.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Asks those that try a canary how they do: an entry that says so may be that of a process that was killed. On the loop. */
final class CanaryAsk implements Tries.Attempt {

    private final Space space;
    private final ConfigSpace store;
    private final String id;
    private final Tries<Optional<Item>> tries;

    private CanaryAsk(Space space, String id, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.id = id;
        this.tries = new Tries<>(store, timeout);
    }

    /**
     * Asks. Any thread; completes on the loop with the canary's record as it is then.
     *
     * @throws ConfigException as the outcome, if there is none of this id
     * @throws ConfigConflictException as the outcome, if it is held
     */
    static CompletableFuture<Optional<Item>> of(Space space, String id, Duration timeout) {
        CanaryAsk ask = new CanaryAsk(space, id, timeout);
        return ask.tries.of(ask);
    }

    /** Nothing is lost by asking once more. */
    @Override
    public String unknown() {
        return "";
    }

    @Override
    public void begin() {
        Waits.onDone(store.read(space.key(CanaryRecord.KEY)), (record, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else {
                ask(record);
            }
        });
    }

    private void ask(Optional<Item> record) {
        if (tries.over()) {
            return;
        }
        CanaryRecord again;
        try {
            again = CanaryEnd.unheld(record, id).askingAgain();
        } catch (ConfigException refused) {
            tries.fail(refused);
            return;
        }
        var written = store.write(
                List.of(Guard.unchanged(record.orElseThrow())),
                List.of(Op.put(space.key(CanaryRecord.KEY), again.encode())));
        Waits.onDone(written, (applied, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else if (applied) {
                readBack(again.asked());
            } else {
                tries.later(this::begin);
            }
        });
    }

    private void readBack(long asked) {
        Waits.onDone(store.read(space.key(CanaryRecord.KEY)), (record, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, () -> readBack(asked));
            } else if (record.map(CanaryRecord::of)
                    .filter(now -> now.asked() >= asked)
                    .isPresent()) {
                tries.done(record);
            } else {
                begin();
            }
        });
    }
}
