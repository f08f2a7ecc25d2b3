package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What comes into use, and what does not. */
class BindingTest {

    record Settings(int limit, Duration timeout) {}

    private static final int SOME = 50;

    private final Rig rig = new Rig("binding");
    private final List<ConfigEvent> events = new ArrayList<>();

    private LiveConfig open(String... keysAndTexts) {
        rig.write(keysAndTexts);
        LiveConfig config = rig.open();
        config.onEvent(events::add);
        return config;
    }

    @Test
    void revision_good_isInUseForAllAtOnce() {
        LiveConfig config = open("a.json", "{\"limit\":1,\"timeout\":\"1s\"}", "b", "1");
        Binding<Settings> a = config.bind("a", Settings.class);
        Binding<Integer> b = config.bind("b", Integer.class);
        List<String> seen = new ArrayList<>();
        config.onKey("b", ListenerOptions.named("x"), (changes, revision) -> seen.add(a.get() + " " + b.get()));
        rig.write("a.json", "{\"limit\":2,\"timeout\":\"1s\"}", "b", "2");

        assertThat(a.get()).isEqualTo(new Settings(2, Duration.ofSeconds(1)));
        assertThat(seen).containsExactly("Settings[limit=1, timeout=PT1S] 1", "Settings[limit=2, timeout=PT1S] 2");
        assertThat(events).isEmpty();
    }

    @Test
    void revision_badForOne_leavesAllAsItWasUntilThereIsAGoodOne() {
        LiveConfig config = open("a", "1", "b", "1", "c", "1");
        Binding<Integer> a = config.bind("a", Integer.class);
        Binding<Integer> b = config.bind("b", Integer.class);
        long good = config.snapshot().position().revision();
        List<String> told = new ArrayList<>();
        config.onPrefix("", ListenerOptions.named("x"), (changes, revision) -> told.add(changes.toString()));
        rig.loop.run();
        told.clear();

        rig.write("a", "2", "b", "many", "c", "2");

        assertThat(a.get()).isEqualTo(1);
        assertThat(config.get("c")).contains("1");
        assertThat(config.status().applied().revision()).isEqualTo(good);
        assertThat(config.status().seen().revision()).isEqualTo(good + 1);
        assertThat(config.status().healthy()).isFalse();
        Rejection rejection = config.status().rejection().orElseThrow();
        assertThat(rejection.key()).isEqualTo("b");
        assertThat(rejection.revision()).isEqualTo(good + 1);
        assertThat(events).containsExactly(new ConfigEvent.Rejected(rejection));
        assertThat(told).isEmpty();

        rig.write("b", "3");

        assertThat(a.get()).isEqualTo(2);
        assertThat(b.get()).isEqualTo(3);
        assertThat(told).containsExactly("[a: '1' -> '2', b: '1' -> '3', c: '1' -> '2']");
        assertThat(config.status().healthy()).isTrue();
        assertThat(events).containsExactly(new ConfigEvent.Rejected(rejection), new ConfigEvent.Recovered(good + 2));
    }

    @Test
    void condition_notMet_rejects() {
        LiveConfig config = open("a", "1");
        Binding<Integer> a = config.binding("a", Integer.class)
                .validate(value -> value < 10, "a must be below 10")
                .validate(value -> 100 / value > 0, "a must divide")
                .bind();
        rig.write("a", "11");
        assertThat(config.status().rejection().orElseThrow().reason()).isEqualTo("a must be below 10");
        rig.write("a", "0");
        assertThat(config.status().rejection().orElseThrow().reason()).startsWith("a must divide");
        assertThat(a.get()).isEqualTo(1);
    }

    record Fragile(int limit) {
        Fragile {
            if (limit == 2) {
                throw new StackOverflowError();
            }
        }
    }

    @Test
    void type_thatBreaks_rejects() {
        LiveConfig config = open("a.limit", "1", "b", "1");
        Binding<Fragile> a = config.bind("a", Fragile.class);
        rig.write("a.limit", "2", "b", "2");
        assertThat(a.get()).isEqualTo(new Fragile(1));
        assertThat(config.get("b")).contains("1");
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("a");
        rig.write("a.limit", "3");
        assertThat(a.get()).isEqualTo(new Fragile(3));
    }

    @Test
    void prepare_refusesForOne_othersAreNotInUseEither() {
        LiveConfig config = open("a", "1", "b", "1");
        List<String> asked = new ArrayList<>();
        Binding<Integer> a = config.binding("a", Integer.class)
                .prepare(value -> asked.add("a " + value))
                .bind();
        Binding<Integer> b = config.binding("b", Integer.class)
                .prepare(value -> {
                    asked.add("b " + value + " while " + a.get());
                    if (value == 2) {
                        throw new IllegalStateException("two is one too many");
                    }
                })
                .bind();
        rig.write("a", "2", "b", "2");

        assertThat(asked).containsExactly("a 1", "b 1 while 1", "a 2", "b 2 while 1");
        assertThat(a.get()).isEqualTo(1);
        assertThat(b.get()).isEqualTo(1);
        assertThat(config.status().rejection().orElseThrow())
                .extracting(Rejection::key, Rejection::reason)
                .containsExactly("b", "two is one too many");
    }

    @Test
    void prepare_throwsWhatCannotBePrinted_rejects() {
        LiveConfig config = open("a", "1");
        Binding<Integer> a = config.binding("a", Integer.class)
                .prepare(value -> {
                    if (value == 2) {
                        throw new Unprintable();
                    }
                })
                .bind();
        rig.write("a", "2");

        assertThat(a.get()).isEqualTo(1);
        Rejection rejection = config.status().rejection().orElseThrow();
        assertThat(rejection.key()).isEqualTo("a");
        assertThat(rejection.reason()).startsWith(Unprintable.class.getName());
        rig.write("a", "3");
        assertThat(a.get()).isEqualTo(3);
    }

    @Test
    void prepare_valuesNotGood_isNotAsked() {
        LiveConfig config = open("a", "1", "b", "1");
        List<Integer> asked = new ArrayList<>();
        config.binding("a", Integer.class).prepare(asked::add).bind();
        config.bind("b", Integer.class);
        rig.write("a", "2", "b", "x");

        assertThat(asked).containsExactly(1);
    }

    @Test
    void bind_whatIsThereDoesNotFit_throwsAndHasNoSay() {
        LiveConfig config = open("a", "x");
        assertThatThrownBy(() -> config.bind("a", Integer.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a");
        assertThatThrownBy(() -> config.binding("a", String.class)
                        .prepare(value -> {
                            throw new IllegalStateException("no");
                        })
                        .bind())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no");
        rig.write("a", "y");
        assertThat(config.get("a")).contains("y");
        assertThat(events).isEmpty();
    }

    @Test
    void bind_whileARevisionIsDecided_isAskedAboutThatOneToo() {
        LiveConfig config = open("a", "1", "b", "1");
        List<Binding<Integer>> late = new ArrayList<>();
        List<Integer> asked = new ArrayList<>();
        config.binding("a", Integer.class)
                .prepare(value -> {
                    asked.add(value);
                    if (value == 2) {
                        late.add(config.bind("b", Integer.class));
                    }
                })
                .bind();
        rig.write("a", "2", "b", "2");

        assertThat(asked).containsExactly(1, 2);
        assertThat(late.get(0).get()).isEqualTo(2);
        assertThat(config.get("a")).contains("2");
    }

    @Test
    void bind_whileARevisionIsDecidedThatDoesNotFitIt_rejectsThat() {
        LiveConfig config = open("a", "1", "b", "1");
        List<Binding<Integer>> late = new ArrayList<>();
        Binding<Integer> a = config.binding("a", Integer.class)
                .prepare(value -> {
                    if (value == 2) {
                        late.add(config.bind("b", Integer.class));
                    }
                })
                .bind();
        rig.write("a", "2", "b", "x");

        assertThat(a.get()).isEqualTo(1);
        assertThat(late.get(0).get()).isEqualTo(1);
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("b");
    }

    @Test
    void bind_otherKeysChangeWhileItIsPrepared_preparesOnce() {
        LiveConfig config = open("a", "1", "b", "0");
        AtomicInteger prepared = new AtomicInteger();

        Binding<Integer> a = config.binding("a", Integer.class)
                .prepare(value -> writeOnce(prepared, "b"))
                .bind();

        assertThat(prepared).hasValue(1);
        assertThat(a.get()).isEqualTo(1);
        assertThat(config.get("b")).contains("1");
        rig.write("a", "2");
        assertThat(a.get()).isEqualTo(2);
    }

    @Test
    void bind_ownKeyChangesEachTimeItIsPrepared_comesIntoUseWhileUpdatesWait() {
        LiveConfig config = open("a", "0");
        AtomicInteger prepared = new AtomicInteger();

        Binding<Integer> a = config.binding("a", Integer.class)
                .prepare(value -> writeOnce(prepared, "a"))
                .bind();

        assertThat(prepared).hasValue(4);
        assertThat(a.get()).isEqualTo(3);
        rig.loop.run();
        assertThat(a.get()).isEqualTo(SOME);
        assertThat(config.status().healthy()).isTrue();
    }

    /** As another writer would each time; it ends, so that a binding which waits for that ends too. */
    private void writeOnce(AtomicInteger times, String key) {
        if (times.incrementAndGet() <= SOME) {
            rig.write(key, times.toString());
        }
    }

    @Test
    void close_keepsTheValueAndHasNoSay() {
        LiveConfig config = open("a", "1", "b", "1");
        Binding<Integer> a = config.bind("a", Integer.class);
        Binding<Integer> b = config.bind("b", Integer.class);
        rig.write("a", "x", "b", "2");
        assertThat(b.get()).isEqualTo(1);

        a.close();
        a.close();
        rig.loop.run();

        assertThat(a.get()).isEqualTo(1);
        assertThat(b.get()).isEqualTo(2);
        assertThat(config.status().rejection()).isEmpty();
        assertThat(events.get(events.size() - 1)).isInstanceOf(ConfigEvent.Recovered.class);
    }

    @Test
    void onChange_tellsThePresentValueThenEachChangeOfIt() {
        LiveConfig config = open("a.json", "{\"limit\":1,\"timeout\":\"1s\"}", "b", "1");
        Binding<Settings> a = config.bind("a", Settings.class);
        List<String> told = new ArrayList<>();
        a.onChange((before, now, changes) -> told.add(before.map(Settings::limit) + " " + now.limit() + " " + changes));
        rig.loop.run();
        rig.write("a.json", "{\"limit\":2,\"timeout\":\"1s\"}");
        rig.write("b", "2");
        rig.write("a.json", "{\"timeout\":\"1s\",\"limit\":2}");

        assertThat(told).containsExactly("Optional.empty 1 []", "Optional[1] 2 [a.limit: '1' -> '2']");
    }

    @Test
    void malformedDocument_thatNobodyHasBound_doesNoHarm() {
        LiveConfig config = open("a", "1");
        Binding<Integer> a = config.bind("a", Integer.class);
        rig.write("broken.json", "{", "a", "2");

        assertThat(a.get()).isEqualTo(2);
        assertThatThrownBy(() -> config.get("broken.x")).isInstanceOf(ConfigException.class);
        assertThat(config.explain("a").value()).contains("2");
    }

    @Test
    void ownRecord_unreadable_rejectsUntilItIsReadable() {
        LiveConfig config = open("a", "1");
        rig.write("$baton", "nonsense", "a", "2");

        assertThat(config.get("a")).contains("1");
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("$baton");
        rig.write("$baton", null);
        assertThat(config.get("a")).contains("2");
        assertThat(config.status().rejection()).isEqualTo(Optional.empty());
    }

    @Test
    void configClosed_whileARevisionIsDecided_isNotApplied() {
        LiveConfig config = open("a", "1");
        Binding<Integer> a = config.binding("a", Integer.class)
                .prepare(value -> {
                    if (value == 2) {
                        config.close();
                    }
                })
                .bind();
        rig.write("a", "2");

        assertThat(a.get()).isEqualTo(1);
        assertThat(config.get("a")).contains("1");
    }

    @Test
    void configClosed_bindingsKeepTheirValues() {
        LiveConfig config = open("a", "1");
        Binding<Integer> a = config.bind("a", Integer.class);
        config.close();
        config.close();
        rig.write("a", "2");

        assertThat(a.get()).isEqualTo(1);
    }

    record Prices(java.util.Currency currency, java.util.UUID shop) {}

    @Test
    void converter_ofTheUsers_bindsItsTypeAndRefusesWhatItDoesNotLike() {
        rig.write("prices.currency", "EUR", "prices.shop", "123e4567-e89b-12d3-a456-426614174000");
        LiveConfig config =
                rig.open(rig.builder().converter(java.util.Currency.class, java.util.Currency::getInstance));
        Binding<Prices> prices = config.bind("prices", Prices.class);
        assertThat(prices.get().currency().getCurrencyCode()).isEqualTo("EUR");

        rig.write("prices.currency", "euros");

        assertThat(config.status().rejection().orElseThrow().reason())
                .startsWith("prices.currency must be a Currency, not 'euros' (store");
        assertThat(prices.get().currency().getCurrencyCode()).isEqualTo("EUR");
    }
}
