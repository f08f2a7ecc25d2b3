package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How listeners are told, on virtual time. */
class ListenerTest {

    private static final ListenerOptions OPTIONS = ListenerOptions.named("mine").attempts(3, Duration.ofMillis(100));

    private final Rig rig = new Rig("listener");
    private final List<ConfigEvent> events = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    private LiveConfig open(String... keysAndTexts) {
        rig.write(keysAndTexts);
        LiveConfig config = rig.open();
        config.onEvent(events::add);
        return config;
    }

    private ConfigListener failing(int times) {
        AtomicInteger left = new AtomicInteger(times);
        return (changes, revision) -> {
            told.add((left.get() > 0 ? "failed " : "") + changes);
            if (left.getAndDecrement() > 0) {
                throw new IllegalStateException("not now");
            }
        };
    }

    @Test
    void key_isToldOfItselfOnly() {
        LiveConfig config = open("a", "1", "a.b", "1");
        config.onKey("a", OPTIONS, failing(0));
        rig.loop.run();
        rig.write("a.b", "2");
        rig.write("a", "2", "b", "2");

        assertThat(told).containsExactly("[a: (none) -> '1']", "[a: '1' -> '2']");
    }

    @Test
    void prefix_isToldOfWhatBeginsSo() {
        LiveConfig config = open("a", "1", "shop.x", "1", "shop.y", "1", "shop2", "1");
        config.onPrefix("shop.", OPTIONS, failing(0));
        rig.loop.run();
        rig.write("a", "2");
        rig.write("shop.x", "2", "shop2", "2");

        assertThat(told).containsExactly("[shop.x: (none) -> '1', shop.y: (none) -> '1']", "[shop.x: '1' -> '2']");
    }

    @Test
    void nothingThere_isToldOnRegistrationAllTheSame() {
        LiveConfig config = open("a", "1");
        config.onKey("absent", OPTIONS, failing(0));
        rig.loop.run();

        assertThat(told).containsExactly("[]");
    }

    @Test
    void failure_isToldAgainWithDoublingPausesBeforeAnythingElse() {
        LiveConfig config = open("a", "1");
        config.onKey("a", OPTIONS, failing(2));
        rig.loop.run();
        rig.write("a", "2");
        assertThat(told).containsExactly("failed [a: (none) -> '1']");
        rig.pass(Duration.ofMillis(100));
        assertThat(told).hasSize(2);
        rig.pass(Duration.ofMillis(199));
        assertThat(told).hasSize(2);
        rig.pass(Duration.ofMillis(1));

        assertThat(told)
                .containsExactly(
                        "failed [a: (none) -> '1']",
                        "failed [a: (none) -> '1']",
                        "[a: (none) -> '1']",
                        "[a: '1' -> '2']");
        assertThat(events).isEmpty();
    }

    @Test
    void failure_tooOften_isReportedAndMadeUpForWithTheNextChange() {
        LiveConfig config = open("a", "1", "b", "1");
        config.onPrefix("", OPTIONS, failing(3));
        rig.pass(Duration.ofSeconds(1));
        assertThat(events)
                .containsExactly(new ConfigEvent.FailedListener("mine", "java.lang.IllegalStateException: not now"));
        rig.write("a", "2");

        assertThat(told).hasSize(4);
        assertThat(told.get(3)).isEqualTo("[a: (none) -> '2', b: (none) -> '1']");
    }

    @Test
    void failure_cannotBePrinted_isReportedByItsClassAndTheNextChangeIsTold() {
        LiveConfig config = open("a", "1");
        config.onKey("a", OPTIONS, (changes, revision) -> {
            told.add(changes.toString());
            throw new Unprintable();
        });
        rig.pass(Duration.ofSeconds(1));

        assertThat(told).hasSize(3);
        assertThat(events).singleElement().asString().contains(Unprintable.class.getName());
        rig.write("a", "2");
        assertThat(told).hasSize(4);
    }

    @Test
    void failure_tooOften_missesNothingThatCameMeanwhile() {
        LiveConfig config = open("a", "1");
        List<String> all = new ArrayList<>();
        config.onKey("a", OPTIONS, (changes, revision) -> {
            all.add(changes.toString());
            if (changes.toString().contains("-> '2'")) {
                throw new IllegalStateException("not two");
            }
        });
        rig.loop.run();
        rig.write("a", "2");
        rig.write("a", "3");
        rig.write("a", "4");
        rig.pass(Duration.ofSeconds(1));

        assertThat(all)
                .containsExactly(
                        "[a: (none) -> '1']",
                        "[a: '1' -> '2']",
                        "[a: '1' -> '2']",
                        "[a: '1' -> '2']",
                        "[a: '1' -> '3']",
                        "[a: '3' -> '4']");
    }

    @Test
    void failure_othersAreNotHeldUp() {
        LiveConfig config = open("a", "1");
        config.onKey("a", OPTIONS, (changes, revision) -> {
            throw new AssertionError("never");
        });
        config.onKey("a", OPTIONS, failing(0));
        rig.write("a", "2");

        assertThat(told).containsExactly("[a: (none) -> '1']", "[a: '1' -> '2']");
    }

    @Test
    void latestOnly_busy_isToldTheNewestOnly() {
        LiveConfig config = open("a", "1");
        config.onKey("a", OPTIONS.latest(), failing(1));
        rig.loop.run();
        rig.write("a", "2");
        rig.write("a", "3");
        rig.write("a", "4");
        rig.pass(Duration.ofSeconds(1));

        assertThat(told).containsExactly("failed [a: (none) -> '1']", "[a: (none) -> '1']", "[a: '1' -> '4']");
    }

    @Test
    void busy_moreThanAThousandWait_areToldAtOnceAndTheLastOneIsThere() {
        LiveConfig config = open("a", "0");
        config.onKey("a", OPTIONS, failing(1));
        rig.loop.run();
        for (int i = 1; i <= 1_500; i++) {
            rig.write("a", Integer.toString(i));
        }
        rig.pass(Duration.ofSeconds(1));

        assertThat(told.get(2)).isEqualTo("[a: '0' -> '1001']");
        assertThat(told.get(told.size() - 1)).isEqualTo("[a: '1499' -> '1500']");
        assertThat(told).hasSize(2 + 500);
    }

    @Test
    void binding_failureTooOften_isMadeUpForByWhatDiffersSince() {
        LiveConfig config = open("a.x", "1", "a.y", "1");
        Binding<Pair> a = config.bind("a", Pair.class);
        AtomicInteger calls = new AtomicInteger();
        a.onChange(OPTIONS, (before, now, changes) -> {
            told.add(before + " " + now + " " + changes);
            int call = calls.incrementAndGet();
            if (call >= 2 && call <= 4) {
                throw new IllegalStateException("not now");
            }
        });
        rig.loop.run();
        rig.write("a.x", "2");
        rig.pass(Duration.ofSeconds(1));
        rig.write("a.y", "2");

        assertThat(told).last().isEqualTo("Optional[Pair[x=1, y=1]] Pair[x=2, y=2] [a.x: '1' -> '2', a.y: '1' -> '2']");
    }

    record Pair(int x, int y) {}

    @Test
    void close_nothingIsToldAnyMore() {
        LiveConfig config = open("a", "1");
        Subscription failing = config.onKey("a", OPTIONS, failing(1));
        rig.loop.run();
        failing.close();
        rig.write("a", "2");
        rig.pass(Duration.ofSeconds(1));
        assertThat(told).containsExactly("failed [a: (none) -> '1']");

        told.clear();
        config.onKey("a", OPTIONS, failing(1));
        rig.loop.run();
        config.close();
        rig.write("a", "3");
        rig.pass(Duration.ofSeconds(1));
        assertThat(told).containsExactly("failed [a: (none) -> '2']");
    }

    @Test
    void configClosed_fromAListener_isFine() {
        LiveConfig config = open("a", "1");
        config.onKey("a", OPTIONS, (changes, revision) -> {
            told.add(changes.toString());
            config.close();
        });
        rig.write("a", "2");

        assertThat(told).containsExactly("[a: (none) -> '1']");
    }

    @Test
    void secretInADocument_isNotShown() {
        LiveConfig config = rig.open(rig.builder().secret("*.password"));
        config.onPrefix("", OPTIONS, failing(0));
        rig.write(
                "db.json", "{\"user\":\"u\",\"password\":\"p\"}", "plain.json", "{\"user\":\"u\"}", "x.password", "p");

        assertThat(told)
                .containsExactly(
                        "[]",
                        "[db.json: (none) -> (secret), plain.json: (none) -> '{\"user\":\"u\"}', x.password: (none) -> (secret)]");
        assertThat(config.snapshot().toString()).doesNotContain("password");
    }
}
