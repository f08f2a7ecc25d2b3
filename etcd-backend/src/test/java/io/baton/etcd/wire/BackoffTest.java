package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private static final Duration LASTING = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMillis(400);

    private final Clock loop = new Clock();
    private final Backoff backoff = new Backoff(loop, 1, LASTING);

    @Test
    void next_connectionsThatBreakBeforeTheyLasted_waitsLongerAndLongerButNotForLong() {
        Duration last = Duration.ZERO;
        for (int i = 0; i < 20; i++) {
            connectFor(LASTING.minusMillis(1));
            last = backoff.next();
            assertThat(last).isLessThanOrEqualTo(LONGEST);
        }
        assertThat(last).isGreaterThanOrEqualTo(LONGEST.dividedBy(2));
    }

    @Test
    void next_connectionLasted_beginsAnew() {
        for (int i = 0; i < 20; i++) {
            backoff.next();
        }
        connectFor(LASTING);
        assertThat(backoff.next()).isLessThanOrEqualTo(Duration.ofMillis(50));
    }

    private void connectFor(Duration time) {
        long connectedAt = loop.nanoTime();
        loop.now += time.toNanos();
        backoff.broken(connectedAt);
    }

    /** Only tells a time. */
    private static final class Clock implements Loop {

        private final Random random = new Random(1);
        private long now;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public long randomLong() {
            return random.nextLong();
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void execute(Runnable task) {
            throw new UnsupportedOperationException();
        }
    }
}
