package io.baton.chaos.client;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import io.baton.chaos.history.EventKind;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What a contender does while it holds: looks at its hold again and again, and writes now and then, without a look
 * before, and also when the hold has been lost meanwhile: the store has to refuse that.
 */
final class HeldTurn {

    private static final int TO_BE_TOLD_SECONDS = 20;
    private static final int MOST_BETWEEN_LOOKS_MILLIS = 20;

    private final Coordinator baton;
    private final Hold hold;
    private final Notes notes;
    private final Random random;
    private final CountDownLatch told = new CountDownLatch(1);

    HeldTurn(Coordinator baton, Hold hold, Notes notes, Random random) {
        this.baton = baton;
        this.hold = hold;
        this.notes = notes;
        this.random = random;
    }

    /** From the grant, which answers this question, to the release. */
    void play(String ask) throws InterruptedException {
        notes.granted(ask, hold);
        Subscription losses = hold.onLost(() -> {
            notes.aboutHold(EventKind.LOST, hold);
            told.countDown();
        });
        hold();
        if (notes.looked(hold) == HoldState.LOST) {
            // The store must refuse it.
            write();
            awaitTold();
        }
        notes.aboutHold(EventKind.RELEASING, hold);
        if (random.nextInt(4) > 0) {
            hold.close();
        } else {
            hold.releaseAsync();
        }
        notes.aboutHold(EventKind.RELEASED, hold);
        losses.close();
    }

    /** For some time; some go on for as long as it is in doubt whether they hold. */
    private void hold() throws InterruptedException {
        int writes = random.nextInt(3);
        boolean clings = random.nextBoolean();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(length());
        HoldState state = HoldState.HELD;
        while (System.nanoTime() - until < 0 || (clings && state == HoldState.JEOPARDY)) {
            state = look();
            if (writes > 0) {
                writes--;
                write();
            }
        }
    }

    /** Mostly short; long now and then, so that something happens meanwhile. */
    private int length() {
        int of = random.nextInt(100);
        if (of < 60) {
            return random.nextInt(30);
        }
        if (of < 90) {
            return random.nextInt(400);
        }
        return random.nextInt(of < 99 ? 3_000 : 12_000);
    }

    private HoldState look() throws InterruptedException {
        HoldState state = notes.looked(hold);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_BETWEEN_LOOKS_MILLIS));
        return state;
    }

    /** Goes on looking while the write is on its way. */
    private void write() throws InterruptedException {
        CompletableFuture<Void> done = new CounterWrite(baton, hold, notes).send();
        while (!done.isDone()) {
            look();
        }
    }

    private void awaitTold() throws InterruptedException {
        boolean unused = told.await(TO_BE_TOLD_SECONDS, TimeUnit.SECONDS);
    }
}
