package io.baton.chaos.client;

import io.baton.CoordinationException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The ways to ask for what a contender wants. */
enum WayToAsk {
    /** For as long as it takes. */
    PATIENTLY {
        @Override
        <H> Optional<H> ask(Wish<H> wish, Random random) throws InterruptedException {
            return Optional.of(wish.acquire().acquire());
        }
    },
    /** For some time. */
    WITH_A_LIMIT {
        @Override
        <H> Optional<H> ask(Wish<H> wish, Random random) throws InterruptedException {
            return wish.tryAcquire().acquire(Duration.ofMillis(1 + random.nextInt(MOST_PATIENT_MILLIS)));
        }
    },
    /** Only if nobody stands there. */
    AT_ONCE {
        @Override
        <H> Optional<H> ask(Wish<H> wish, Random random) throws InterruptedException {
            return wish.tryAcquire().acquire(Duration.ZERO);
        }
    },
    /** Changing its mind after a while. */
    UNTIL_CANCELLED {
        @Override
        <H> Optional<H> ask(Wish<H> wish, Random random) throws InterruptedException {
            CompletableFuture<H> future = wish.acquireAsync().get();
            try {
                return Optional.of(future.get(1 + random.nextInt(MOST_PATIENT_MILLIS), TimeUnit.MILLISECONDS));
            } catch (TimeoutException enough) {
                return future.cancel(true) ? Optional.empty() : granted(future);
            } catch (ExecutionException failed) {
                throw known(failed);
            }
        }
    };

    private static final int MOST_PATIENT_MILLIS = 3_000;
    private static final int PATIENTLY_OF_TEN = 6;
    private static final int WITH_A_LIMIT_OF_TEN = 8;
    private static final int UNTIL_CANCELLED_OF_TEN = 9;

    /** Asks; nothing if it was in vain. */
    abstract <H> Optional<H> ask(Wish<H> wish, Random random) throws InterruptedException;

    /** One of the ways, the first more often than the others. */
    static WayToAsk any(Random random) {
        int of = random.nextInt(10);
        if (of < PATIENTLY_OF_TEN) {
            return PATIENTLY;
        }
        if (of < WITH_A_LIMIT_OF_TEN) {
            return WITH_A_LIMIT;
        }
        return of < UNTIL_CANCELLED_OF_TEN ? UNTIL_CANCELLED : AT_ONCE;
    }

    private static <H> Optional<H> granted(CompletableFuture<H> future) throws InterruptedException {
        try {
            return Optional.of(future.get());
        } catch (ExecutionException | CancellationException failed) {
            throw known(failed);
        }
    }

    private static RuntimeException known(Exception failed) {
        return failed.getCause() instanceof CoordinationException known ? known : new IllegalStateException(failed);
    }
}
