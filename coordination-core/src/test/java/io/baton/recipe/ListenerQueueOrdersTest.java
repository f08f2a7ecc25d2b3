package io.baton.recipe;

import static io.baton.Interleavings.together;

import io.baton.Flag;
import io.baton.Interleavings;
import io.baton.internal.callback.CallbackPool;
import io.baton.internal.callback.ClientCallbacks;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of several threads to one listener, in many orders. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListenerQueueOrdersTest {

    /** Told one at a time, if all is well; plain fields on purpose. */
    private static final class Listener {

        private final int last;
        private final Flag all = new Flag();
        private int inside;
        private int overlaps;
        private String told = "";

        Listener(int last) {
            this.last = last;
        }

        void hear(String message) {
            inside++;
            overlaps += inside == 1 ? 0 : 1;
            told += message;
            inside--;
            if (told.length() == last) {
                all.raise();
            }
        }

        void expect(String... orders) {
            for (String expected : orders) {
                if (overlaps == 0 && told.equals(expected)) {
                    return;
                }
            }
            throw new AssertionError("told " + told + " with " + overlaps + " overlaps");
        }
    }

    private static ListenerQueue<String> to(Listener listener, CallbackPool pool) {
        return new ListenerQueue<>(ClientCallbacks.on(pool), "orders", listener::hear, Deque::addLast);
    }

    @Test
    void offer_together_areToldOnceOneAtATimeInEachThreadsOrder() {
        Interleavings.of(() -> {
            var listener = new Listener(3);
            var pool = new CallbackPool("pool");
            ListenerQueue<String> delivery = to(listener, pool);
            together(
                    () -> {
                        delivery.offer("a");
                        delivery.offer("b");
                    },
                    () -> delivery.offer("c"));
            listener.all.await();
            pool.close();
            listener.expect("abc", "acb", "cab");
        });
    }

    @Test
    void offer_whileTheLastMessageIsTaken_isNotLeftLying() {
        Interleavings.of(() -> {
            var listener = new Listener(2);
            var pool = new CallbackPool("pool");
            ListenerQueue<String> delivery = to(listener, pool);
            delivery.offer("a");
            delivery.offer("b");
            listener.all.await();
            pool.close();
            listener.expect("ab");
        });
    }
}
