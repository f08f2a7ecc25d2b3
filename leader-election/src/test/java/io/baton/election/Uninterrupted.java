package io.baton.election;

import java.util.concurrent.CountDownLatch;

/** Waits as work does that does not stop when it is interrupted. */
final class Uninterrupted {

    private Uninterrupted() {}

    static void await(CountDownLatch released) {
        await(released, () -> {});
    }

    static void await(CountDownLatch released, Runnable whenInterrupted) {
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException ignored) {
                whenInterrupted.run();
            }
        }
    }
}
