package io.baton.config.internal.write;

import io.baton.CoordinationException;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.Space;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Writes a change in as many parts as it takes, one after the other. On the loop. */
public final class PartsCommit {

    private final Space space;
    private final Duration timeout;
    private final CompletableFuture<ConfigCommit> result = new CompletableFuture<>();
    private List<Draft> drafts = List.of();
    private CompletableFuture<ConfigCommit> underWay = new CompletableFuture<>();
    private @Nullable ConfigCommit last;

    private PartsCommit(Space space, Duration timeout) {
        this.space = space;
        this.timeout = timeout;
    }

    /**
     * Writes it, each part within this time. Any thread; completes on the loop. If the caller completes the future
     * first, it stops.
     */
    public static CompletableFuture<ConfigCommit> of(Space space, Draft draft, Duration timeout) {
        PartsCommit commit = new PartsCommit(space, timeout);
        commit.begin(draft);
        return commit.result;
    }

    private void begin(Draft draft) {
        Futures.onDone(result, (done, stopped) -> underWay.cancel(false));
        Futures.onDone(Parts.of(space, draft, true, timeout), (divided, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Futures.cause(failure));
            } else if (divided.drafts().isEmpty()) {
                result.completeExceptionally(
                        new NothingToWriteException(draft.texts().isEmpty()));
            } else {
                drafts = divided.drafts();
                write(0);
            }
        });
    }

    private void write(int which) {
        if (result.isDone()) {
            return;
        }
        Draft draft = drafts.get(which);
        ConfigCommit before = last;
        if (before != null && draft.after().isPresent()) {
            draft = draft.after(before.change());
        }
        underWay = Commit.of(space, draft, timeout);
        Futures.onDone(underWay, (commit, failure) -> {
            if (failure == null) {
                last = commit;
                next(which);
            } else if (Futures.cause(failure) instanceof NothingToWriteException) {
                // Another client has written the same without Baton.
                next(which);
            } else {
                result.completeExceptionally(failed(which, Futures.cause(failure)));
            }
        });
    }

    private void next(int which) {
        if (which + 1 < drafts.size()) {
            write(which + 1);
        } else if (last == null) {
            result.completeExceptionally(new NothingToWriteException(false));
        } else {
            result.complete(last);
        }
    }

    /** Returns the same failure, with the parts already written in its message. */
    private Throwable failed(int which, Throwable why) {
        HistoryRecord.Part part = drafts.get(which).part().orElse(null);
        ConfigCommit before = last;
        if (part == null || before == null || !(why instanceof CoordinationException)) {
            return why;
        }
        String message =
                "parts 1 to " + (part.number() - 1) + " of " + part.total() + " were written, the last one as change "
                        + before.change() + ", and then: " + why.getMessage() + "; the same once more writes the rest";
        if (why instanceof ConfigConflictException) {
            return new ConfigConflictException(message);
        } else if (why instanceof ConfigException) {
            return new ConfigException(message);
        } else if (why instanceof OutcomeUnknownException) {
            return new OutcomeUnknownException(message, why);
        } else if (why instanceof StoreUnavailableException) {
            return new StoreUnavailableException(message, why);
        }
        return new CoordinationException(message, why);
    }
}
