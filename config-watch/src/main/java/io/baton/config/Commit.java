package io.baton.config;

import io.baton.Item;
import io.baton.OutcomeUnknownException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.internal.ConfigSpace;
import io.baton.internal.Waits;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes one change, exactly once, whoever else writes and whatever becomes of the answers.
 *
 * <p>It reads, makes a plan of what it has read, and sends that as one transaction. If that is refused somebody else has
 * written, and it begins anew. If it does not get to know, it need not know: the next attempt has the same number, unless a
 * change of that number is there, which then tells by its id whose it is. So of all attempts one is applied at most. On the
 * loop.
 */
final class Commit {

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    private final Space space;
    private final ConfigSpace store;
    private final Draft draft;
    private final Duration timeout;
    private final CompletableFuture<ConfigCommit> result = new CompletableFuture<>();
    private String id = "";
    private Duration pause = SHORTEST_PAUSE;
    private long unknown;
    private long sent;
    private @Nullable Throwable last;

    private Commit(Space space, Draft draft, Duration timeout) {
        this.space = space;
        this.store = space.store();
        this.draft = draft;
        this.timeout = timeout;
    }

    /**
     * Writes it; any thread. Completes on the loop. Who completes the future before that has it try no more.
     *
     * @param timeout after which it is given up
     */
    static CompletableFuture<ConfigCommit> of(Space space, Draft draft, Duration timeout) {
        Commit commit = new Commit(space, draft, timeout);
        if (!space.store().loop().post(commit::begin)) {
            commit.result.completeExceptionally(ConfigSpace.closed());
        }
        return commit.result;
    }

    private void begin() {
        id = Ids.next(store.loop());
        Loop.Timer limit = store.loop().after(timeout, () -> giveUp("within " + timeout.toMillis() + " ms"));
        Subscription closing = store.beforeClosing(() -> giveUp("before the coordinator was closed"));
        Waits.onDone(result, (done, failure) -> {
            limit.cancel();
            closing.close();
        });
        attempt();
    }

    private void attempt() {
        if (result.isDone()) {
            return;
        }
        var names = draft.keys();
        if (draft.promoted().isPresent()) {
            names.add(CanaryRecord.KEY);
        }
        Waits.onDone(space.read(names), (present, failure) -> {
            if (failure != null) {
                failed(failure);
            } else {
                settle(present);
            }
        });
    }

    /** First of all, what has become of an attempt whose outcome is unknown. */
    private void settle(Present present) {
        if (unknown == 0 || present.head().change() < unknown) {
            write(present);
            return;
        }
        long number = unknown;
        Waits.onDone(space.history(number), (record, failure) -> {
            if (failure != null) {
                failed(failure);
            } else if (record.isEmpty()) {
                give(new OutcomeUnknownException("whether change " + number + " of " + store.tree()
                        + " is this one cannot be told any more: it is no longer kept"));
            } else if (mine(record.get())) {
                written(number, record.get());
            } else {
                unknown = 0;
                write(present);
            }
        });
    }

    private boolean mine(Item record) {
        return id.equals(HistoryRecord.of(record).id());
    }

    private void write(Present present) {
        if (result.isDone()) {
            return;
        }
        Plan plan;
        try {
            plan = Plan.of(draft, present, id, store.loop().wallMillis(), store.guarantees());
        } catch (ConfigException refused) {
            give(refused);
            return;
        }
        sent = plan.number();
        Waits.onDone(store.write(plan.guards(), plan.ops()), (applied, failure) -> {
            sent = 0;
            if (failure != null) {
                unanswered(plan.number(), failure);
            } else if (applied) {
                unknown = 0;
                revision(plan.number());
            } else {
                again();
            }
        });
    }

    private void unanswered(long number, Throwable failure) {
        Throwable cause = Waits.cause(failure);
        if (cause instanceof OutcomeUnknownException || cause instanceof SessionLostException) {
            unknown = number;
        }
        failed(cause);
    }

    /** It is written; where in the store's order, its place in the history tells. */
    private void revision(long number) {
        unknown = number;
        Waits.onDone(space.history(number), (record, failure) -> {
            if (failure != null) {
                later(failure, () -> revision(number));
            } else if (record.isPresent()) {
                written(number, record.get());
            } else {
                revisionOfLater(number);
            }
        });
    }

    /** So many have been written since that it is not kept any more: where the last one is, this one is in it. */
    private void revisionOfLater(long number) {
        Waits.onDone(store.read(space.key(SpaceHead.KEY)), (record, failure) -> {
            if (failure != null || record.isEmpty()) {
                later(failure, () -> revisionOfLater(number));
            } else {
                written(number, record.get());
            }
        });
    }

    private void written(long number, Item record) {
        result.complete(new ConfigCommit(number, record.revision().order()));
    }

    private void failed(Throwable failure) {
        Throwable cause = Waits.cause(failure);
        if (passes(cause)) {
            later(cause, this::attempt);
        } else if (unknown != 0) {
            give(new OutcomeUnknownException(
                    "whether change " + unknown + " of " + store.tree() + " was written could not be found out",
                    cause));
        } else {
            give(cause);
        }
    }

    /** Whether it may be better next time. */
    private static boolean passes(Throwable failure) {
        return failure instanceof StoreUnavailableException
                || failure instanceof OutcomeUnknownException
                || failure instanceof SessionLostException;
    }

    private void again() {
        later(null, this::attempt);
    }

    private void later(@Nullable Throwable why, Runnable next) {
        last = why;
        store.loop().after(store.loop().jittered(pause), () -> {
            if (!result.isDone()) {
                next.run();
            }
        });
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    private void give(Throwable failure) {
        result.completeExceptionally(failure);
    }

    private void giveUp(String when) {
        if (unknown != 0 || sent != 0) {
            give(new OutcomeUnknownException("whether change " + (unknown == 0 ? sent : unknown) + " of " + store.tree()
                    + " was written could not be found out " + when));
        } else {
            String why = last == null ? "others write all the time" : String.valueOf(last.getMessage());
            give(new StoreUnavailableException("nothing was written to " + store.tree() + " " + when + ": " + why));
        }
    }
}
