package io.baton.tck.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.config.Binding;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigSource;
import io.baton.config.KeyChange;
import io.baton.config.ListenerOptions;
import io.baton.config.LiveConfig;
import io.baton.config.UnknownFields;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bad input from other writers, and listeners that fail, on a real server. Extended for each store. */
@Timeout(60)
public abstract class BadInputContract {

    /** The type that the document is bound to. */
    public record Payments(int limit, Duration timeout) {}

    private static final String DOCUMENT = "payments.json";

    private final List<ConfigEvent> events = new CopyOnWriteArrayList<>();
    private Coordinator baton;
    private Coordinator writer;
    private LiveConfig config;

    /** For subclasses. */
    protected BadInputContract() {}

    /** The store's address. */
    protected abstract String uri();

    @BeforeEach
    void follow() throws Exception {
        writer = Coordinator.connect(uri());
        put(DOCUMENT, "{\"limit\": 1, \"timeout\": \"5s\"}");
        baton = Coordinator.connect(uri());
        config = LiveConfig.builder(baton).unknownFields(UnknownFields.REJECT).open();
        assertThat(config.status().source()).isEqualTo(ConfigSource.LIVE);
        config.onEvent(events::add);
    }

    @AfterEach
    void stop() {
        config.close();
        baton.close();
        writer.close();
    }

    @Test
    void document_thatIsNoGood_isRejectedAndReportedAndTheLastGoodStays() throws Exception {
        Binding<Payments> payments = config.bind("payments", Payments.class);
        List<String> bad = List.of(
                "{\"limit\": 2, \"timeout\":", // malformed
                "{\"limit\": \"many\", \"timeout\": \"5s\"}", // of a wrong type
                "{\"limit\": 2, \"timeout\": \"5s\", \"tiemout\": \"6s\"}"); // with an unknown field

        for (int i = 0; i < bad.size(); i++) {
            put(DOCUMENT, bad.get(i));
            int rejections = i + 1;
            soon().until(() -> all(ConfigEvent.Rejected.class) == rejections);
            assertThat(payments.get()).isEqualTo(new Payments(1, Duration.ofSeconds(5)));
            assertThat(config.status().rejection()).isPresent();
            assertThat(config.status().healthy()).isFalse();
        }
        put(DOCUMENT, "{\"limit\": 3, \"timeout\": \"7s\"}");

        soon().until(() -> payments.get().equals(new Payments(3, Duration.ofSeconds(7))));
        soon().until(() -> all(ConfigEvent.Recovered.class) == 1);
        soon().until(() -> config.status().healthy());
    }

    @Test
    void listener_thatBlocks_isWarnedOfAndOthersAreTold() throws Exception {
        var release = new CountDownLatch(1);
        List<String> blocked = new CopyOnWriteArrayList<>();
        List<String> others = new CopyOnWriteArrayList<>();
        ListenerOptions slow = ListenerOptions.named("slow").slowAfter(Duration.ofMillis(100));
        try {
            config.onKey("key", slow, (changes, revision) -> {
                changes.forEach(change -> blocked.add(text(change)));
                if (!changes.isEmpty()) {
                    uninterrupted(release);
                }
            });
            config.onKey(
                    "key",
                    ListenerOptions.named("other"),
                    (changes, revision) -> changes.forEach(change -> others.add(text(change))));

            for (String text : List.of("one", "two", "three")) {
                put("key", text);
                soon().until(() -> others.contains(text));
            }
            assertThat(blocked).containsExactly("one");
            soon().until(() -> all(ConfigEvent.SlowListener.class) >= 1);
        } finally {
            release.countDown();
        }

        soon().until(() -> blocked.equals(List.of("one", "two", "three")));
    }

    @Test
    void listener_thatThrows_isTriedAgainAndThenReportedAndOthersAreTold() throws Exception {
        List<String> tried = new CopyOnWriteArrayList<>();
        List<String> others = new CopyOnWriteArrayList<>();
        config.onKey("key", ListenerOptions.named("broken").attempts(2, Duration.ofMillis(10)), (changes, revision) -> {
            changes.forEach(change -> tried.add(text(change)));
            if (changes.stream().anyMatch(change -> text(change).equals("one"))) {
                throw new IllegalStateException("broken on purpose");
            }
        });
        config.onKey(
                "key",
                ListenerOptions.named("other"),
                (changes, revision) -> changes.forEach(change -> others.add(text(change))));

        put("key", "one");
        soon().until(() -> all(ConfigEvent.FailedListener.class) == 1);
        put("key", "two");

        soon().until(() -> others.equals(List.of("one", "two")) && tried.equals(List.of("one", "one", "two")));
    }

    /** Writes as any client could. */
    private void put(String key, String text) throws InterruptedException {
        writer.records("config").put(key, text.getBytes(UTF_8));
    }

    private int all(Class<? extends ConfigEvent> kind) {
        return (int) events.stream().filter(kind::isInstance).count();
    }

    private static String text(KeyChange change) {
        return change.now().orElse("(none)");
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(20));
    }
}
