package io.baton.config;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.internal.ConfigSpace;
import io.baton.internal.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Takes a canary back. On the loop. */
final class CanaryEnd implements Tries.Attempt {

    private final Space space;
    private final ConfigSpace store;
    private final String id;
    private final Tries<Boolean> tries;
    private boolean unknown;
    private boolean sent;

    private CanaryEnd(Space space, String id, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.id = id;
        this.tries = new Tries<>(store, timeout);
    }

    /** Takes it back. Any thread; completes on the loop. */
    static CompletableFuture<Boolean> of(Space space, String id, Duration timeout) {
        CanaryEnd end = new CanaryEnd(space, id, timeout);
        return end.tries.of(end);
    }

    /**
     * The change that makes a canary one for all, unless something of it has changed then.
     *
     * @param record the canary's; empty if there is none
     * @throws ConfigException if there is none of this id
     * @throws ConfigConflictException if it is held
     */
    static Draft promotion(Optional<Item> record, String id, String author) {
        CanaryRecord canary = unheld(record, id);
        var texts = new TreeMap<String, Optional<String>>();
        var expected = new TreeMap<String, Long>();
        canary.keys().forEach((key, to) -> {
            texts.put(key, Optional.ofNullable(to.now()));
            expected.put(key, to.base());
        });
        String comment = "canary " + id + (canary.comment().isEmpty() ? "" : ": " + canary.comment());
        return new Draft(
                texts,
                expected,
                new TreeSet<>(),
                new TreeSet<>(),
                OptionalLong.empty(),
                record,
                Optional.empty(),
                author,
                comment);
    }

    @Override
    public String unknown() {
        return unknown || sent ? "the end of canary " + id : "";
    }

    @Override
    public void begin() {
        Waits.onDone(store.read(space.key(CanaryRecord.KEY)), (record, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else {
                end(record);
            }
        });
    }

    private void end(Optional<Item> record) {
        if (tries.over()) {
            return;
        }
        try {
            var unused = named(record, id);
        } catch (ConfigException none) {
            if (unknown) {
                tries.done(true);
            } else {
                tries.fail(none);
            }
            return;
        }
        sent = true;
        var written = store.write(
                List.of(Guard.unchanged(record.orElseThrow())), List.of(Op.delete(space.key(CanaryRecord.KEY))));
        Waits.onDone(written, (applied, failure) -> {
            sent = false;
            if (failure != null) {
                unknown |= Tries.uncertain(Waits.cause(failure));
                tries.failed(this, failure, this::begin);
            } else if (applied) {
                tries.done(true);
            } else {
                tries.later(this::begin);
            }
        });
    }

    /**
     * The canary of this id.
     *
     * @throws ConfigException if there is none
     * @throws ConfigConflictException if it is held
     */
    static CanaryRecord unheld(Optional<Item> record, String id) {
        CanaryRecord canary = named(record, id);
        if (!canary.held().isEmpty()) {
            throw new ConfigConflictException("canary " + id + " is held: " + canary.held());
        }
        return canary;
    }

    private static CanaryRecord named(Optional<Item> record, String id) {
        CanaryRecord canary = record.map(CanaryRecord::of)
                .orElseThrow(() -> new ConfigException("there is no canary " + id + ", nor any other"));
        if (!canary.id().equals(id)) {
            throw new ConfigException("there is no canary " + id + "; the one under way is " + canary.id());
        }
        return canary;
    }
}
