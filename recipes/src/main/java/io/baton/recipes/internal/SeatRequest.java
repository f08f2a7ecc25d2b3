package io.baton.recipes.internal;

import io.baton.PermitHold;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipes.Seat;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A seat that is waited for without a thread: first for a permit, then for the end of a search. Any thread. */
public final class SeatRequest {

    private final CompletableFuture<Seat> users = new CompletableFuture<>();
    private final CompletableFuture<PermitHold> permit;
    private final CompletableFuture<SeatSearch> search;
    private volatile boolean delivered;

    private SeatRequest(CompletableFuture<PermitHold> permit, Function<PermitHold, SeatSearch> begin) {
        this.permit = permit;
        this.search = permit.thenApply(begin);
    }

    /** Begins to wait for this permit, and then for a search with it. Returns the user's future. */
    public static CompletableFuture<Seat> begin(
            CompletableFuture<PermitHold> permit, Function<PermitHold, SeatSearch> search, Callbacks callbacks) {
        var request = new SeatRequest(permit, search);
        // However the user completes it (cancel, orTimeout, ...), the seat is not wanted.
        Futures.onDone(request.users, (seat, failure) -> request.usersDone());
        Futures.onDone(
                request.search.thenCompose(SeatSearch::outcome),
                (seat, failure) -> callbacks.runReliably(() -> {
                    if (failure != null) {
                        request.users.completeExceptionally(Futures.cause(failure));
                    } else {
                        seat.ifPresent(request::deliver);
                    }
                }));
        return request.users;
    }

    private void deliver(Seat seat) {
        delivered = true;
        if (!users.complete(seat)) {
            var unused = seat.releaseAsync();
        }
    }

    private void usersDone() {
        if (!delivered) {
            permit.cancel(false);
            Futures.onDone(search, (begun, failure) -> {
                if (failure == null) {
                    begun.giveUp();
                }
            });
        }
    }
}
