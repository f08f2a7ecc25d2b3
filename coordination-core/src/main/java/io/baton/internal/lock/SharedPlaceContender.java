package io.baton.internal.lock;

import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Contends for a place that attempts share. Whether the line is free is asked only once the entries that this
 * coordinator is removing from it are gone: an attempt that found its own process's entry would say that the lock is
 * taken.
 *
 * @param removals completes once they are gone; fails if that stays unknown
 */
record SharedPlaceContender(LineContender line, Supplier<CompletableFuture<Void>> removals) implements Entrant {

    @Override
    public CompletionStage<Boolean> isFree(Session session) {
        return removals.get().handle((gone, unknown) -> session).thenCompose(line::isFree);
    }

    @Override
    public Place join(Session session, byte[] payload, PlaceListener to) {
        return line.join(session, payload, to);
    }

    @Override
    public boolean isShared() {
        return true;
    }
}
