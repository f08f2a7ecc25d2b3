package io.baton.spi;

import static io.baton.Interleavings.join;
import static io.baton.Interleavings.together;

import io.baton.Flag;
import io.baton.Interleavings;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop's queue, its wake-ups and its end, in many orders of the threads that use it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventLoopOrdersTest {

    /** Runs once, and never while another runs; plain fields on purpose. */
    private static final class Work {

        private int running;
        private int overlaps;
        private String order = "";

        Runnable task(String name) {
            return () -> {
                running++;
                overlaps += running == 1 ? 0 : 1;
                order += name;
                Thread.yield();
                running--;
            };
        }

        void expect(String... orders) {
            for (String expected : orders) {
                if (overlaps == 0 && order.equals(expected)) {
                    return;
                }
            }
            throw new AssertionError("ran " + order + " with " + overlaps + " overlaps");
        }
    }

    private static Thread own(EventLoop loop) throws InterruptedException {
        var own = new Thread[1];
        var told = new Flag();
        loop.execute(() -> {
            own[0] = Thread.currentThread();
            told.raise();
        });
        told.await();
        return own[0];
    }

    /** Whether it was taken. */
    private static boolean tried(Runnable giving) {
        try {
            giving.run();
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    @Test
    void executeAndDeliver_together_runOnceOneAtATimeInEachThreadsOrder() {
        Interleavings.of(() -> {
            var loop = new EventLoop("loop");
            var work = new Work();
            var last = new Flag();
            together(
                    () -> {
                        loop.execute(work.task("a"));
                        loop.execute(work.task("b"));
                    },
                    () -> loop.deliver(work.task("c")));
            loop.execute(last::raise);
            last.await();
            work.expect("abc", "acb", "cab");
            loop.close();
        });
    }

    @Test
    void deliver_together_runOnceOneAtATime() {
        Interleavings.of(() -> {
            var loop = new EventLoop("loop");
            var work = new Work();
            var last = new Flag();
            together(() -> loop.deliver(work.task("a")), () -> loop.deliver(work.task("b")));
            loop.execute(last::raise);
            last.await();
            work.expect("ab", "ba");
            loop.close();
        });
    }

    @Test
    void execute_whileTheLoopGoesToSleep_isNotLeftLying() {
        Interleavings.of(() -> {
            var loop = new EventLoop("loop");
            for (int i = 0; i < 2; i++) {
                var ran = new Flag();
                loop.execute(ran::raise);
                ran.await();
            }
            loop.close();
        });
    }

    @Test
    void close_besideTasksOfBothKinds_theyRunOrAreRefusedAndTheThreadEnds() {
        Interleavings.of(() -> {
            var loop = new EventLoop("loop");
            Thread own = own(loop);
            var work = new Work();
            var taken = new boolean[2];
            together(
                    loop::close,
                    () -> taken[0] = tried(() -> loop.execute(work.task("a"))),
                    () -> taken[1] = tried(() -> loop.deliver(work.task("b"))));
            join(own);
            String first = taken[0] ? "a" : "";
            String second = taken[1] ? "b" : "";
            work.expect(first + second, second + first);
        });
    }

    @Test
    void close_withinADelivery_theLoopsThreadEnds() {
        Interleavings.of(() -> {
            var loop = new EventLoop("loop");
            Thread own = own(loop);
            together(() -> loop.deliver(loop::close), () -> tried(() -> loop.deliver(() -> {})));
            join(own);
        });
    }

    @Test
    void close_twiceTogether_theThreadEnds() {
        Interleavings.of(() -> {
            var loop = new EventLoop("loop");
            Thread own = own(loop);
            together(loop::close, loop::close);
            join(own);
        });
    }

    @Test
    void after_besideADelivery_ringsOnce() {
        Interleavings.of(() -> {
            var loop = new EventLoop("loop");
            var work = new Work();
            var rung = new Flag();
            together(
                    () -> loop.deliver(work.task("a")),
                    () -> loop.after(Duration.ZERO, () -> {
                        work.task("b").run();
                        rung.raise();
                    }));
            rung.await();
            Thread own = own(loop);
            loop.close();
            join(own);
            work.expect("ab", "ba");
        });
    }

    @Test
    void after_armedOnTheThreadThatDelivers_wakesTheLoopsThread() {
        Interleavings.of(() -> {
            var loop = new EventLoop("loop");
            var rung = new Flag();
            loop.deliver(() -> loop.after(Duration.ZERO, rung::raise));
            rung.await();
            loop.close();
        });
    }
}
