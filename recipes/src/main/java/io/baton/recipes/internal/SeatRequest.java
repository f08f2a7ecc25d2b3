package io.baton.recipes.internal;

import io.baton.PermitHold;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipes.Seat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A seat that is waited for without a thread: first for a permit, then for the end of a search. Any thread.
 *
 * @param <R> what the user gets
 */
public final class SeatRequest<R> {

    private final CompletableFuture<R> users = new CompletableFuture<>();
    private final CompletableFuture<?> permit;
    private final CompletableFuture<Optional<SeatSearch>> search;
    private final Function<Optional<Seat>, @Nullable R> result;
    private volatile boolean delivered;

    private SeatRequest(
            CompletableFuture<?> permit,
            CompletableFuture<Optional<SeatSearch>> search,
            Function<Optional<Seat>, @Nullable R> result) {
        this.permit = permit;
        this.search = search;
        this.result = result;
    }

    /** Begins to wait for this permit, and then for a search with it that finds a seat. Returns the user's future. */
    public static CompletableFuture<Seat> take(
            CompletableFuture<PermitHold> permit, Function<PermitHold, SeatSearch> search, Callbacks callbacks) {
        return new SeatRequest<Seat>(
                        permit, permit.thenApply(search).thenApply(Optional::of), found -> found.orElse(null))
                .begin(callbacks);
    }

    /** Begins to wait for this permit, if there is one, and then for a search with it. Returns the user's future. */
    public static CompletableFuture<Optional<Seat>> tryTake(
            CompletableFuture<Optional<PermitHold>> permit,
            Function<PermitHold, SeatSearch> search,
            Callbacks callbacks) {
        return new SeatRequest<Optional<Seat>>(
                        permit, permit.thenApply(granted -> granted.map(search)), Function.identity())
                .begin(callbacks);
    }

    private CompletableFuture<R> begin(Callbacks callbacks) {
        // However the user completes it (cancel, orTimeout, ...), the seat is not wanted.
        Futures.onDone(users, (seat, failure) -> usersDone());
        Futures.onDone(
                search.thenCompose(begun -> begun.map(SeatSearch::outcome)
                        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))),
                (seat, failure) -> callbacks.runReliably(() -> {
                    if (failure != null) {
                        users.completeExceptionally(Futures.cause(failure));
                    } else {
                        deliver(seat);
                    }
                }));
        return users;
    }

    private void deliver(Optional<Seat> seat) {
        delivered = true;
        if (!users.complete(result.apply(seat))) {
            seat.ifPresent(Seat::releaseAsync);
        }
    }

    private void usersDone() {
        if (!delivered) {
            permit.cancel(false);
            Futures.onDone(search, (begun, failure) -> {
                if (failure == null) {
                    begun.ifPresent(SeatSearch::giveUp);
                }
            });
        }
    }
}
