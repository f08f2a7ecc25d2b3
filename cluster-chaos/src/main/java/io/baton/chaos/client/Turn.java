package io.baton.chaos.client;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import io.baton.chaos.history.What;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What a contender does while it holds: looks at its hold again and again, and writes now and then, without a look
 * before, and also when the hold has been lost meanwhile: the store has to refuse that.
 */
final class Turn {

    private static final int TO_BE_TOLD_SECONDS = 20;
    private static final int MOST_BETWEEN_LOOKS_MILLIS = 20;

    private final Coordinator baton;
    private final Hold hold;
    private final Notes notes;
    private final Random random;
    private final CountDownLatch told = new CountDownLatch(1);

    Turn(Coordinator baton, Hold hold, Notes notes, Random random) {
        this.baton = baton;
        this.hold = hold;
        this.notes = notes;
        this.random = random;
    }

    /** From the grant, which answers this question, to the release. */
    void play(String ask) throws InterruptedException {
        notes.granted(ask, hold);
        Subscription losses = hold.onLost(() -> {
            notes.aboutHold(What.LOST, hold);
            told.countDown();
        });
        hold();
        if (notes.looked(hold) == HoldState.LOST) {
            await();
        }
        notes.aboutHold(What.RELEASING, hold);
        if (random.nextInt(4) > 0) {
            hold.close();
        } else {
            hold.releaseAsync();
        }
        notes.aboutHold(What.RELEASED, hold);
        losses.close();
    }

    private void hold() throws InterruptedException {
        int writes = random.nextInt(3);
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(length());
        while (System.nanoTime() - until < 0) {
            look();
            if (writes > 0) {
                writes--;
                write();
            }
        }
    }

    /** Mostly short; long now and then, so that something happens meanwhile. */
    private int length() {
        int of = random.nextInt(10);
        if (of < 6) {
            return random.nextInt(30);
        }
        return of < 9 ? random.nextInt(400) : random.nextInt(3_000);
    }

    private void look() throws InterruptedException {
        notes.looked(hold);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_BETWEEN_LOOKS_MILLIS));
    }

    /** Goes on looking while the write is on its way. */
    private void write() throws InterruptedException {
        CompletableFuture<Void> done = new CounterWrite(baton, hold, notes).send();
        while (!done.isDone()) {
            look();
        }
    }

    private void await() throws InterruptedException {
        boolean unused = told.await(TO_BE_TOLD_SECONDS, TimeUnit.SECONDS);
    }
}
