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
 * Writes one change, exactly once, whoever else writes and whatever becomes of the answers.
 *
 * <p>It reads, makes a plan of what it has read, and sends that as one transaction. If that is refused somebody else has
 * written, and it begins anew. If it does not get to know, it need not: the next attempt is for the same number, unless there
 * is a change of that number by then, whose id tells whether it is this one. So of all attempts one is applied at most. On
 * the loop.
 */
public final class Commit implements RetryLoop.Attempt {

    private final Space space;
    private final ConfigSpace store;
    private final Draft draft;
    private final RetryLoop<ConfigCommit> tries;
    private String id = "";
    private long sent;
    private long unknown;

    private Commit(Space space, Draft draft, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.draft = draft;
        this.tries = new RetryLoop<>(store, timeout);
    }

    /** Writes it within this time. Any thread; completes on the loop. Who completes the future before has it try no more. */
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

    /** First of all, what has become of an attempt whose outcome is unknown. */
    private void settle(SpaceRead present) {
        if (unknown == 0 || present.head().change() < unknown) {
            write(present);
            return;
        }
        // Somebody has written a change of that number.
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
     * There is nothing to be done with what was read. That may be because of an attempt whose outcome is unknown, if it was applied
     * while this was read. If it was not even after that, it never will be: it was made of what is not there any more.
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

    /** It is written; where in the store's order, its place in the history tells. */
    private void revision(long number) {
        Futures.onDone(store.read(List.of(space.historyKey(number), space.key(SpaceHead.KEY))), (records, failure) -> {
            if (failure != null) {
                tries.failed(this, failure, () -> revision(number));
                return;
            }
            // If it is not kept any more, the last change will do, in which it is.
            Optional<Item> record = records.get(0).or(() -> records.get(1));
            if (record.isPresent()) {
                tries.complete(new ConfigCommit(number, record.get().revision().order()));
            } else {
                tries.retryLater(() -> revision(number));
            }
        });
    }
}
