package io.baton.config.internal.rollout;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.RecordTexts;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks a canary as held when an instance has rejected it, so that it cannot be promoted. Retries until closed. Any
 * thread.
 */
public final class CanaryHold implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CanaryHold.class);
    private static final int MOST_OF_REASON = 400;

    /** By how many bytes the record of a canary may grow: by a reason of which each character is escaped, and counts. */
    static final int MOST_BYTES = 6 * MOST_OF_REASON + 100;

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final ConfigSpace store;
    private final RecordKey key;
    private volatile boolean closed;

    /** Creates one for the canaries of this space. */
    public CanaryHold(ConfigSpace store) {
        this.store = store;
        this.key = new RecordKey(store.tree(), CanaryRecord.KEY);
    }

    /**
     * Marks the canary, unless it is already marked or gone.
     *
     * @param canary its id
     * @param why for people, naming the instance; without secrets
     */
    public void hold(String canary, String why) {
        String reason = why.isEmpty() ? "rejected" : RecordTexts.cut(why, MOST_OF_REASON);
        store.loop().post(() -> attempt(canary, reason, SHORTEST_PAUSE));
    }

    /** Stops retries. Does not wait. Idempotent. */
    @Override
    public void close() {
        closed = true;
    }

    private void attempt(String id, String why, Duration pause) {
        if (closed) {
            return;
        }
        Futures.onDone(store.read(key).thenApply(CanaryHold::parsed), (found, failure) -> {
            if (failure != null) {
                later(id, why, pause, Futures.cause(failure));
            } else if (found.isPresent() && found.get().canary().mayBeHeld(id)) {
                write(found.get(), why, pause);
            }
        });
    }

    private void write(Found found, String why, Duration pause) {
        byte[] held = found.canary().held(why).encode();
        Futures.onDone(
                store.write(List.of(Guard.unchanged(found.item())), List.of(Op.put(key, held))), (applied, failure) -> {
                    if (failure != null) {
                        later(found.canary().id(), why, pause, Futures.cause(failure));
                    } else if (!applied) {
                        attempt(found.canary().id(), why, pause);
                    }
                });
    }

    private void later(String id, String why, Duration pause, Throwable failure) {
        if (!Futures.isTransient(failure)) {
            log.warn("Cannot mark canary {} of {} as held: {}", id, store.tree(), failure.getMessage());
            return;
        }
        Duration doubled = pause.multipliedBy(2);
        Duration next = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        store.loop().after(store.loop().jittered(pause), () -> attempt(id, why, next));
    }

    private static Optional<Found> parsed(Optional<Item> record) {
        return record.map(item -> new Found(item, CanaryRecord.of(item)));
    }

    private record Found(Item item, CanaryRecord canary) {}
}
