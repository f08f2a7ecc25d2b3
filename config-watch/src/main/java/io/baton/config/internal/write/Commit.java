package io.baton.config.internal.write;

import io.baton.Item;
import io.baton.OutcomeUnknownException;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigException;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Ids;
import io.baton.config.internal.record.RetryLoop;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.record.SpaceRead;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Writes one change exactly once, despite other writers and lost responses.
 *
 * <p>Each attempt reads, plans, and sends the plan as one transaction. A refused transaction means that another writer
 * came first, and the attempt is repeated. After an unknown outcome, the next attempt uses the same number. If a change
 * with that number exists by then, its id shows whether it is this one. So at most one attempt is applied. On the loop.
 */
public final class Commit implements RetryLoop.Attempt {

    private final Space space;
    private final ConfigSpace store;
    private final Draft draft;
    private final RetryLoop<ConfigCommit> tries;
    private String id = "";
    private long sent;
    private long unknown;
    private long written;

    private Commit(Space space, Draft draft, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.draft = draft;
        this.tries = new RetryLoop<>(store, timeout);
    }

    /**
     * Writes it within this time. Any thread; completes on the loop. If the caller completes the future first, retries
     * end.
     */
    public static CompletableFuture<ConfigCommit> of(Space space, Draft draft, Duration timeout) {
        Commit commit = new Commit(space, draft, timeout);
        return commit.tries.of(commit);
    }

    @Override
    public String unknown() {
        long number = unknown == 0 ? sent : unknown;
        return number == 0 ? "" : "change " + number;
    }

    @Override
    public String written() {
        return written == 0
                ? ""
                : "change " + written + " of " + store.tree() + " was written, but its revision could not be read";
    }

    @Override
    public void begin() {
        if (id.isEmpty()) {
            id = Ids.next(store.loop());
        }
        var names = draft.keys();
        if (draft.promoted().isPresent()) {
            names.add(CanaryRecord.KEY);
        }
        Futures.onDone(space.read(names), (present, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else {
                settle(present);
            }
        });
    }

    /** First resolves an attempt whose outcome is unknown. */
    private void settle(SpaceRead present) {
        if (unknown == 0 || present.head().change() < unknown) {
            write(present);
            return;
        }
        // A change with that number exists.
        Futures.onDone(space.history(unknown).thenApply(Space::parsed), (record, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else if (record.isEmpty()) {
                tries.fail(new OutcomeUnknownException("whether change " + unknown + " of " + store.tree()
                        + " is this one cannot be told any more: it is not kept"));
            } else if (id.equals(record.get().id())) {
                revision(unknown);
            } else {
                unknown = 0;
                write(present);
            }
        });
    }

    private void write(SpaceRead present) {
        if (tries.isDone()) {
            return;
        }
        Plan plan;
        try {
            plan = Plan.of(draft, present, id, store.loop().wallMillis(), store.guarantees());
        } catch (ConfigException refused) {
            refuse(refused);
            return;
        }
        sent = plan.number();
        Futures.onDone(store.write(plan.guards(), plan.ops()), (applied, failure) -> {
            sent = 0;
            if (failure != null) {
                if (RetryLoop.uncertain(Futures.cause(failure))) {
                    unknown = plan.number();
                }
                tries.failed(this, failure, this::begin);
            } else if (applied) {
                unknown = plan.number();
                revision(plan.number());
            } else {
                tries.retryLater(this::begin);
            }
        });
    }

    /**
     * Handles a plan that is refused. The reason may be an attempt with an unknown outcome, applied during the read. If
     * it is not applied after the read, it never will be, because its guards no longer hold.
     */
    private void refuse(ConfigException why) {
        if (unknown == 0) {
            tries.fail(why);
            return;
        }
        Futures.onDone(space.head(), (head, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, this::begin);
            } else if (head.change() >= unknown) {
                begin();
            } else {
                tries.fail(why);
            }
        });
    }

    /** Reads the revision of the written change from its record in the history. */
    private void revision(long number) {
        written = number;
        Futures.onDone(store.read(List.of(space.historyKey(number), space.key(SpaceHead.KEY))), (records, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, () -> revision(number));
                return;
            }
            // If that is no longer kept, the last change serves, which includes this one.
            Optional<Item> record = records.get(0).or(() -> records.get(1));
            if (record.isPresent()) {
                tries.complete(new ConfigCommit(number, record.get().revision().order()));
            } else {
                tries.retryLater(() -> revision(number));
            }
        });
    }
}
