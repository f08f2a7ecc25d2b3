package io.baton.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.testkit.server.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rule of {@link io.baton} for code that throws, in live configurations. */
@Timeout(120)
class ThrowingListenersTest {

    private static final String DONE = "each was called, and so was the one behind it";

    @Test
    void listeners_thatThrow_areNamedInTheLogAndStayAsDoTheOthers() throws Exception {
        Process program = ChildProcess.small(
                        Program.class, List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"), List.of())
                .redirectErrorStream(true)
                .start();
        List<String> said = new String(program.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();

        assertThat(program.waitFor()).as("%s", said).isZero();
        assertThat(said).last().isEqualTo(DONE);
        for (String name : List.of("by key", "by prefix", "bound")) {
            assertThat(said)
                    .anySatisfy(line ->
                            assertThat(line).contains("WARN ").contains("Listener " + name + " failed 2 times"));
        }
        assertThat(said)
                .anySatisfy(line -> assertThat(line)
                        .contains("WARN ")
                        .contains(
                                "Listener io.baton.config.ThrowingListenersTest$Throwing of events of a configuration")
                        .endsWith(" threw; all others are told as well"));
    }

    /** Where listeners can be registered, each time one that throws and one that does not. */
    static final class Program {

        private Program() {}

        public static void main(String[] args) throws Exception {
            try (Coordinator baton = Coordinator.connect("mem:throwing");
                    LiveConfig config = LiveConfig.builder(baton)
                            .converter(Port.class, Program::port)
                            .open()) {
                ConfigStore store = ConfigStore.of(baton);
                store.edit().put("limit", "1").put("port", "80").commit();
                await().until(() -> config.get("port").isPresent());
                listeners(config, store);
                decisions(config, store);
            }
            System.out.println(DONE);
        }

        private static void listeners(LiveConfig config, ConfigStore store) throws InterruptedException {
            var events = new Throwing<ConfigEvent>();
            var behindEvents = new Counting<ConfigEvent>();
            config.onEvent(events);
            config.onEvent(behindEvents);
            var keys = new Throwing<Object>();
            var behindKeys = new Counting<Object>();
            config.onKey("limit", twice("by key"), (changes, revision) -> keys.accept(changes));
            config.onKey("limit", twice("key"), (changes, revision) -> behindKeys.accept(changes));
            var prefixes = new Throwing<Object>();
            var behindPrefixes = new Counting<Object>();
            config.onPrefix("l", twice("by prefix"), (changes, revision) -> prefixes.accept(changes));
            config.onPrefix("l", twice("prefix"), (changes, revision) -> behindPrefixes.accept(changes));
            Binding<Integer> limit = config.bind("limit", Integer.class);
            var values = new Throwing<Object>();
            var behindValues = new Counting<Object>();
            limit.onChange(twice("bound"), (before, now, changes) -> values.accept(now));
            limit.onChange(twice("binding"), (before, now, changes) -> behindValues.accept(now));
            await().until(() -> allCalled(2, keys, prefixes, values) && allCalled(3, events));
            long revision = store.edit().put("limit", "2").commit().revision();
            assertThat(config.awaitRevision(revision, Duration.ofSeconds(30))).isTrue();
            await().until(() -> allCalled(4, keys, prefixes, values));
            await().until(() -> allCalled(6, events, behindEvents));
            await().until(() -> allCalled(2, behindKeys, behindPrefixes, behindValues));
            assertThat(limit.get()).isEqualTo(2);
            limit.close();
        }

        /** What decides may throw checked exceptions, and so says no. */
        private static void decisions(LiveConfig config, ConfigStore store) throws InterruptedException {
            var asked = new CountDownLatch(1);
            Binding<Integer> limit = config.binding("limit", Integer.class)
                    .prepare(value -> {
                        if (value == 3) {
                            asked.countDown();
                            throw new IOException("no room for three");
                        }
                    })
                    .bind();
            Binding<Port> port = config.bind("port", Port.class);
            store.edit().put("limit", "3").commit();
            await().until(() -> asked.getCount() == 0 && rejected(config).contains("no room for three"));
            assertThat(limit.get()).isEqualTo(2);
            store.edit().put("limit", "4").put("port", "none").commit();
            await().until(() -> rejected(config).contains("must be a Port"));
            store.edit().put("port", "81").commit();
            await().until(() -> limit.get() == 4 && port.get().number() == 81);
            assertThat(config.status().rejection()).isEqualTo(Optional.empty());
        }

        private static String rejected(LiveConfig config) {
            return config.status().rejection().map(Rejection::reason).orElse("");
        }

        private static ListenerOptions twice(String name) {
            return ListenerOptions.named(name).attempts(2, Duration.ofMillis(1));
        }

        private static boolean allCalled(int atLeast, Counting<?>... these) {
            return List.of(these).stream().allMatch(each -> each.calls.get() >= atLeast);
        }

        private static Port port(String text) throws IOException {
            try {
                return new Port(Integer.parseInt(text));
            } catch (NumberFormatException other) {
                throw new IOException("no port", other);
            }
        }
    }

    record Port(int number) {}

    private static class Counting<T> implements Consumer<T> {

        final AtomicInteger calls = new AtomicInteger();

        @Override
        public void accept(T now) {
            calls.incrementAndGet();
        }
    }

    private static final class Throwing<T> extends Counting<T> {

        @Override
        public void accept(T now) {
            super.accept(now);
            throw new IllegalStateException("as a listener may");
        }
    }
}
