package io.baton.internal.lock;

import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import java.util.concurrent.CompletionStage;

/** Contends in one line, with one claim. */
record LineContender(Line line, Claim claim) implements Entrant {

    @Override
    public CompletionStage<Boolean> isFree(Session session) {
        return session.isFree(line, claim);
    }

    @Override
    public Place join(Session session, byte[] payload, PlaceListener to) {
        return session.join(line, claim, payload, to);
    }
}
