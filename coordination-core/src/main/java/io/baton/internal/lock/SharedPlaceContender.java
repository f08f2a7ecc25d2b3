package io.baton.internal.lock;

import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.spi.Loop;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Contends for a place that attempts share. Whether the line is free is asked only once the entries that this
 * coordinator is removing from it are gone: an attempt that found its own process's entry would say that the lock is
 * taken. It is asked nevertheless if that takes longer, as an entry stays for as long as a transaction of the user's
 * holds it.
 *
 * @param removals completes once they are gone; fails if that stays unknown
 */
record SharedPlaceContender(LineContender line, Supplier<CompletableFuture<Void>> removals, ClientLoop loop)
        implements Entrant {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    @Override
    public CompletionStage<Boolean> isFree(Session session) {
        var settled = new CompletableFuture<Session>();
        Loop.Timer late = loop.after(PATIENCE, () -> settled.complete(session));
        Futures.onDone(removals.get(), (gone, unknown) -> {
            late.cancel();
            settled.complete(session);
        });
        return settled.thenCompose(line::isFree);
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
