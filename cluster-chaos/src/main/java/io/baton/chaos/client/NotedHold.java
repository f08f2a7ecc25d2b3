package io.baton.chaos.client;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import io.baton.chaos.history.EventKind;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One hold, from its grant on: what its holder sees of it is noted down. */
final class NotedHold {

    private static final int TO_BE_TOLD_SECONDS = 20;

    private final Hold hold;
    private final Notes notes;
    private final CountDownLatch told = new CountDownLatch(1);
    private final Subscription losses;

    /** It was granted, which answers this question. */
    NotedHold(Hold hold, String ask, List<Object> details, Notes notes) {
        this.hold = hold;
        this.notes = notes;
        notes.granted(ask, hold, details);
        this.losses = hold.onLost(() -> {
            notes.aboutHold(EventKind.LOST, hold);
            told.countDown();
        });
    }

    Hold hold() {
        return hold;
    }

    HoldState look() {
        return notes.looked(hold);
    }

    void awaitTold() throws InterruptedException {
        boolean unused = told.await(TO_BE_TOLD_SECONDS, TimeUnit.SECONDS);
    }

    void releasing() {
        notes.aboutHold(EventKind.RELEASING, hold);
    }

    void released() {
        notes.aboutHold(EventKind.RELEASED, hold);
        losses.close();
    }
}
