package io.baton.internal.callback;

import static io.baton.Interleavings.together;

import io.baton.Flag;
import io.baton.Interleavings;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that are given to the pool by several threads, in many orders. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallbackPoolOrdersTest {

    private static Runnable meeting(Flag mine, Flag other) {
        return () -> {
            mine.raise();
            try {
                other.await();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        };
    }

    @Test
    void execute_tasksThatWaitForEachOther_haveAThreadEach() {
        Interleavings.of(() -> {
            var pool = new CallbackPool("pool");
            var first = new Flag();
            var second = new Flag();
            together(() -> pool.execute(meeting(first, second)), () -> pool.execute(meeting(second, first)));
            first.await();
            second.await();
            pool.close();
        });
    }

    @Test
    void execute_whileAThreadComesToRest_tasksThatWaitForEachOtherHaveAThreadEach() {
        Interleavings.of(() -> {
            var pool = new CallbackPool("pool");
            var before = new Flag();
            var first = new Flag();
            var second = new Flag();
            pool.execute(before::raise);
            before.await();
            pool.execute(meeting(first, second));
            pool.execute(meeting(second, first));
            first.await();
            second.await();
            pool.close();
        });
    }

    @Test
    void close_besideATask_itRunsOrIsRefused() {
        Interleavings.of(() -> {
            var pool = new CallbackPool("pool");
            var ran = new Flag();
            var taken = new boolean[1];
            together(pool::close, () -> {
                try {
                    pool.execute(ran::raise);
                    taken[0] = true;
                } catch (RejectedExecutionException closed) {
                    taken[0] = false;
                }
            });
            if (taken[0]) {
                ran.await();
            }
        });
    }
}
