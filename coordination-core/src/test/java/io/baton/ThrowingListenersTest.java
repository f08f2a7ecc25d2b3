package io.baton;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.Eventually;
import io.baton.internal.LoggedProcess;
import io.baton.internal.Sneaky;
import io.baton.internal.callback.CallbackPool;
import io.baton.internal.callback.ClientCallbacks;
import io.baton.memory.MemoryStore;
import io.baton.recipe.ListenerQueue;
import java.io.IOException;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One rule for all that is told of something: it may throw, is named in the log, and stays, as do the others. */
@Timeout(120)
class ThrowingListenersTest {

    private static final String DONE = "each was called, and so was the one behind it";

    @Test
    void listeners_thatThrow_areNamedInTheLogAndStayAsDoTheOthers() throws IOException {
        try (LoggedProcess program = LoggedProcess.start(Program.class)) {
            List<String> said = program.readUntil(DONE::equals);

            assertThat(said).last().isEqualTo(DONE);
            for (String of : List.of(
                    "mem:throwing",
                    "lock 'orders' with token ",
                    "read/write lock 'orders' with token ",
                    "the records in shop/stock",
                    "telemetry")) {
                assertThat(said)
                        .anySatisfy(line -> assertThat(line)
                                .contains("WARN ")
                                .contains("Listener io.baton.ThrowingListenersTest$Throwing of " + of)
                                .endsWith(" threw; all others are told as well"));
            }
            assertThat(said)
                    .anySatisfy(line -> assertThat(line)
                            .contains("Listener io.baton.ThrowingListenersTest$Program (lambda) of mem:throwing"));
            assertThat(said).anySatisfy(line -> assertThat(line).contains("java.io.IOException: as it may"));
        }
    }

    /** Logging fails for such an exception, and takes neither a thread of the pool nor a listener along. */
    @Test
    void exceptions_thatCannotBePrinted_areNamedInTheLogAndBothPoolAndListenersGoOn() throws IOException {
        try (LoggedProcess program = LoggedProcess.start(Unprintables.class)) {
            List<String> said = program.readUntil(DONE::equals);

            assertThat(said).last().isEqualTo(DONE);
            for (String where : List.of("A callback threw", "Listener io.baton.")) {
                int line = said.indexOf(said.stream()
                        .filter(each -> each.contains("WARN ") && each.contains(where))
                        .findFirst()
                        .orElseThrow());
                assertThat(said.get(line + 1))
                        .startsWith("io.baton.recipe.UnprintableException: " + Unprintables.class.getName() + "$");
            }
        }
    }

    /** A task more than there are threads, and a listener, that throw what cannot be printed. */
    static final class Unprintables {

        private static final class Unprintable extends RuntimeException {

            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new UnsupportedOperationException("on purpose");
            }
        }

        private Unprintables() {}

        public static void main(String[] args) throws InterruptedException {
            ClientCallbacks callbacks = ClientCallbacks.pooled("test");
            for (int i = 0; i <= CallbackPool.MAX_THREADS; i++) {
                callbacks.run(() -> {
                    throw new Unprintable();
                });
            }
            AtomicInteger calls = new AtomicInteger();
            Consumer<Integer> listener = number -> {
                calls.incrementAndGet();
                throw new Unprintable();
            };
            ListenerQueue<Integer> queue = new ListenerQueue<>(callbacks, "numbers", listener, Deque::addLast);
            for (int i = 1; i <= 2; i++) {
                queue.offer(i);
                int expected = i;
                Eventually.holds(() -> calls.get() == expected);
            }
            System.out.println(DONE);
        }
    }

    /** Where listeners can be registered, each time one that throws and one that does not. */
    static final class Program {

        private final Throwing<Object> telemetry = new Throwing<>();
        private final Counting<Object> telemetryBehind = new Counting<>();
        private final Throwing<SessionState> state = new Throwing<>();
        private final Counting<SessionState> stateBehind = new Counting<>();
        private final Throwing<HoldState> holdState = new Throwing<>();
        private final Counting<HoldState> holdStateBehind = new Counting<>();
        private final Throwing<HoldState> writerState = new Throwing<>();
        private final Counting<HoldState> writerStateBehind = new Counting<>();
        private final Throwing<Object> lost = new Throwing<>();
        private final Counting<Object> lostBehind = new Counting<>();
        private final Throwing<Object> records = new Throwing<>();
        private final Counting<Object> recordsBehind = new Counting<>();

        public static void main(String[] args) throws InterruptedException {
            new Program().run();
        }

        private void run() throws InterruptedException {
            CoordinatorOptions options = CoordinatorOptions.builder()
                    .telemetry(telemetry)
                    .telemetry(telemetryBehind)
                    .build();
            try (Coordinator baton = Coordinator.connect("mem:throwing", options);
                    Hold hold = baton.lock("orders").acquire();
                    WriteHold writer = baton.readWriteLock("orders").write().acquire()) {
                baton.onState(now -> Sneaky.raise(new IOException("as it may")));
                baton.onState(state);
                baton.onState(stateBehind);
                hold.onState(holdState);
                hold.onState(holdStateBehind);
                writer.onState(writerState);
                writer.onState(writerStateBehind);
                try (Hold reader = writer.downgrade()) {
                    Eventually.holds(() -> writerState.calls() >= 1 && writerStateBehind.calls() >= 1);
                    assertThat(reader.state()).isEqualTo(HoldState.HELD);
                }
                hold.onLost(lost);
                hold.onLost(lostBehind);
                Records shop = baton.records("shop");
                try (Subscription first = shop.observe("stock", records);
                        Subscription second = shop.observe("stock", recordsBehind)) {
                    Eventually.holds(() -> records.calls() == 1 && recordsBehind.calls() == 1);
                    shop.put("stock", "7");
                    Eventually.holds(() -> records.calls() == 2 && recordsBehind.calls() == 2);
                    MemoryStore.named("throwing").expireSessions();
                    Eventually.holds(() -> all(2, state, holdState, telemetry, lost));
                    Eventually.holds(() -> all(2, stateBehind, holdStateBehind, telemetryBehind, lostBehind));
                    assertThat(List.of(first, second)).doesNotContainNull();
                }
            }
            System.out.println(DONE);
        }

        /** A loss is told once. */
        private boolean all(int calls, Counting<?>... these) {
            for (Counting<?> each : these) {
                if (each.calls() < (each == lost || each == lostBehind ? 1 : calls)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Counts its calls. */
    private static class Counting<T> implements Consumer<T>, Runnable, RecordsListener, Telemetry {

        private final AtomicInteger calls = new AtomicInteger();

        int calls() {
            return calls.get();
        }

        void called() {
            calls.incrementAndGet();
        }

        @Override
        public void accept(T now) {
            called();
        }

        @Override
        public void run() {
            called();
        }

        @Override
        public void snapshot(Map<String, Item> all, Position at) {
            called();
        }

        @Override
        public void changed(List<Item> put, List<String> deleted, long revision) {
            called();
        }

        @Override
        public void session(SessionChange event) {
            called();
        }
    }

    /** The same, and throws what a listener need not declare. */
    private static final class Throwing<T> extends Counting<T> {

        @Override
        void called() {
            super.called();
            Sneaky.raise(new IOException("as it may"));
        }
    }
}
