package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.config.ConfigException;
import io.baton.config.DefaultValue;
import io.baton.config.UnknownFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypeBinderTest {

    enum Level {
        DEBUG,
        INFO
    }

    record Retry(
            @DefaultValue("3") int limit,
            @DefaultValue("250ms") Duration pause) {}

    record Host(String name, @DefaultValue("443") int port) {}

    record Settings(
            String url,
            int retryLimit,
            Retry retry,
            @DefaultValue("[a, b]") List<String> tags,
            @DefaultValue("") Set<Integer> codes,
            @DefaultValue("{}") Map<String, Integer> weights,
            Optional<Duration> timeout,
            Optional<Host> proxy,
            @Nullable String note) {}

    private static final Settings LEAST = new Settings(
            "u",
            5,
            new Retry(3, Duration.ofMillis(250)),
            List.of("a", "b"),
            Set.of(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            null);

    @Test
    void bind_leastOfARecord_hasItsDefaults() {
        assertThat(Given.bind(Settings.class, "json", "{\"url\":\"u\",\"retryLimit\":5}"))
                .isEqualTo(LEAST);
    }

    @Test
    void bind_allOfARecord_hasAll() {
        String yaml = """
                url: u
                retry-limit: 5
                retry: {limit: 1, pause: 2s}
                tags: [x]
                codes: [500, 503, 500]
                weights: {eu-west: 1, eu_west: 2, EU: 3, 1: 4}
                timeout: 5s
                proxy:
                  name: p
                note: ""
                """;

        assertThat(Given.bind(Settings.class, "yaml", yaml))
                .isEqualTo(new Settings(
                        "u",
                        5,
                        new Retry(1, Duration.ofSeconds(2)),
                        List.of("x"),
                        Set.of(500, 503),
                        Map.of("eu-west", 1, "eu_west", 2, "EU", 3, "1", 4),
                        Optional.of(Duration.ofSeconds(5)),
                        Optional.of(new Host("p", 443)),
                        ""));
    }

    @Test
    void bind_singleKeys_isTheSame() {
        Layers layers = Given.layers(
                "payments.url", "u",
                "payments.retry-limit", "5",
                "payments.retry.limit", "1",
                "payments.retry.pause", "2s",
                "payments.tags", "x, y",
                "payments.codes", "[500, 503]",
                "payments.weights.eu-west", "1",
                "payments.weights.eu_west", "2",
                "payments.proxy", "{name: p, port: 1}");

        assertThat(Given.bind(Settings.class, layers))
                .isEqualTo(new Settings(
                        "u",
                        5,
                        new Retry(1, Duration.ofSeconds(2)),
                        List.of("x", "y"),
                        Set.of(500, 503),
                        Map.of("eu-west", 1, "eu_west", 2),
                        Optional.empty(),
                        Optional.of(new Host("p", 1)),
                        null));
    }

    @Test
    void bind_variables_isTheSame() {
        Layers layers = Given.environment(Map.of(
                "SHOP_PAYMENTS_URL", "u",
                "SHOP_PAYMENTS_RETRY_LIMIT", "5",
                "SHOP_PAYMENTS_RETRY_PAUSE", "2s",
                "SHOP_PAYMENTS_TAGS", "x,y",
                "SHOP_PAYMENTS_CODES_0", "500",
                "SHOP_PAYMENTS_CODES_1", "503",
                "SHOP_PAYMENTS_WEIGHTS_EU_WEST", "1",
                "SHOP_PAYMENTS_PROXY", "{\"name\":\"p\"}",
                "SHOP_PAYMENTS_PROXY_PORT", "1",
                "OTHER_PAYMENTS_URL", "no"));

        assertThat(Given.bind(Settings.class, layers))
                .isEqualTo(new Settings(
                        "u",
                        5,
                        new Retry(5, Duration.ofSeconds(2)),
                        List.of("x", "y"),
                        Set.of(500, 503),
                        Map.of("eu.west", 1),
                        Optional.empty(),
                        Optional.of(new Host("p", 1)),
                        null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"retryLimit", "retry-limit", "retry_limit", "RETRY_LIMIT", "retrylimit"})
    void bind_nameSpelledInAnyWay_isBound(String name) {
        assertThat(Given.bind(Settings.class, "json", "{\"url\":\"u\",\"" + name + "\":5}"))
                .isEqualTo(LEAST);
        assertThat(Given.bind(Settings.class, Given.layers("payments.url", "u", "payments." + name, "5")))
                .isEqualTo(LEAST);
    }

    @Test
    void bind_nameSpelledInTwoWaysInOneDocument_isRefused() {
        Layers layers = Given.layers("payments.json", "{\"url\":\"u\",\"retryLimit\":5,\"retry-limit\":6}");

        assertThat(Given.refused(Settings.class, layers))
                .startsWith("payments.retryLimit and payments.retry-limit are one name, written in two ways");
    }

    @Test
    void bind_nothingThere_isMissing() {
        assertThat(Given.refused(Settings.class, Given.layers()))
                .isEqualTo("payments.url is missing; payments.retryLimit is missing");
        assertThat(Given.refused(Integer.class, Given.layers())).isEqualTo("payments is missing");
        assertThat(Given.refused(Host.class, Given.layers("payments", "{}"))).isEqualTo("payments.name is missing");
    }

    @Test
    void bind_severalThingsWrong_tellsAllUpToFive() {
        record Many(int a, int b, int c, int d, int e, int f, int g) {}

        assertThat(Given.refused(Many.class, Given.layers("payments", "{}")))
                .isEqualTo("payments.a is missing; payments.b is missing; payments.c is missing; "
                        + "payments.d is missing; payments.e is missing; and 2 more");
    }

    @Test
    void bind_null_isLikeAbsent() {
        assertThat(Given.refused(Settings.class, Given.layers("payments.json", "{\"url\":null,\"retryLimit\":5}")))
                .isEqualTo("payments.url is missing");
        assertThat(Given.bind(
                        Settings.class, "json", "{\"url\":\"u\",\"retryLimit\":5,\"tags\":null,\"timeout\":null}"))
                .isEqualTo(LEAST);
        assertThat(Given.refused(Host.class, Given.layers("payments.json", "null")))
                .isEqualTo("payments.name is missing");
    }

    @Test
    void bind_nothingInAList_isRefused() {
        record Lists(List<String> of) {}

        assertThat(Given.refused(Lists.class, Given.layers("payments.json", "{\"of\":[\"a\",null]}")))
                .isEqualTo("payments.of[1] is missing");
        assertThat(Given.refused(Lists.class, Given.layers("payments.of", "a,,b")))
                .startsWith("payments.of has nothing between two commas");
    }

    @Test
    void bind_emptyTextForAList_isEmpty() {
        record Lists(List<String> of) {}

        assertThat(Given.bind(Lists.class, Given.layers("payments.of", " ")).of())
                .isEmpty();
        assertThat(Given.bind(Lists.class, Given.layers("payments.json", "{\"of\":[]}"))
                        .of())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"of\":\"a,b\"}|payments.of must be a list, not a text",
                "{\"of\":{\"a\":1}}|payments.of must be a list, not an object",
                "{\"of\":[[1]]}|payments.of[0] must be a text, not a list",
                "{\"of\":[{}]}|payments.of[0] must be a text, not an object",
                "[]|payments must be an object, not a list",
                "\"x\"|payments must be an object, not a text",
                "5|payments must be an object, not a text",
            })
    void bind_anotherKindThanAList_isRefused(String json, String expected) {
        record Lists(List<String> of) {}

        assertThat(Given.refused(Lists.class, Given.layers("payments.json", json)))
                .startsWith(expected);
    }

    @Test
    void bind_listOfRecords_namesItemAndField() {
        record Hosts(List<Host> hosts) {}

        assertThat(Given.bind(Hosts.class, "json", "{\"hosts\":[{\"name\":\"a\"},{\"name\":\"b\",\"port\":1}]}"))
                .isEqualTo(new Hosts(List.of(new Host("a", 443), new Host("b", 1))));
        assertThat(Given.refused(Hosts.class, Given.layers("payments.json", "{\"hosts\":[{\"name\":\"a\"},{}]}")))
                .isEqualTo("payments.hosts[1].name is missing");
        assertThat(Given.bind(Hosts.class, "properties", "hosts.1.name=a\nhosts.2.name=b\nhosts.2.port=1"))
                .isEqualTo(new Hosts(List.of(new Host("a", 443), new Host("b", 1))));
        assertThat(Given.refused(Hosts.class, Given.layers("payments.properties", "hosts.1.name=a\nhosts.3.name=b")))
                .startsWith("payments.hosts must be a list, not an object");
    }

    @Test
    void bind_mapOfTexts_takesNamesWithDots() {
        record Levels(Map<String, Level> levels) {}
        Levels expected = new Levels(Map.of("org", Level.INFO, "org.example", Level.DEBUG));

        assertThat(Given.bind(Levels.class, "properties", "levels.org=info\nlevels.org.example=debug"))
                .isEqualTo(expected);
        assertThat(Given.bind(Levels.class, "json", "{\"levels\":{\"org\":\"INFO\",\"org.example\":\"DEBUG\"}}"))
                .isEqualTo(expected);
        assertThat(Given.bind(
                        Levels.class,
                        Given.layers("payments.levels.org", "INFO", "payments.levels.org.example", "DEBUG")))
                .isEqualTo(expected);
        assertThat(Given.refused(Levels.class, Given.layers("payments.levels.org.example", "LOUD")))
                .startsWith("payments.levels.org.example must be one of DEBUG, INFO, not 'LOUD'");
    }

    @Test
    void bind_mapByConstants_isBound() {
        record Weights(Map<Level, Host> of) {}

        assertThat(Given.bind(Weights.class, "json", "{\"of\":{\"debug\":{\"name\":\"a\"}}}"))
                .isEqualTo(new Weights(Map.of(Level.DEBUG, new Host("a", 443))));
        assertThat(Given.refused(Weights.class, Given.layers("payments.json", "{\"of\":{\"loud\":{\"name\":\"a\"}}}")))
                .startsWith("payments.of.loud: its name must be one of DEBUG, INFO");
        assertThat(Given.refused(
                        Weights.class,
                        Given.layers(
                                "payments.json", "{\"of\":{\"debug\":{\"name\":\"a\"},\"DEBUG\":{\"name\":\"b\"}}}")))
                .startsWith("payments.of.DEBUG is there twice, in two spellings");
    }

    @Test
    void bind_keyThatIsTextAndBeginningOfOthers_isRefusedOnlyIfBothAreNeeded() {
        Layers layers = Given.layers("payments", "x", "payments.name", "n");

        assertThat(Given.bind(String.class, layers)).isEqualTo("x");
        assertThat(Given.refused(Host.class, layers))
                .startsWith("payments is both a text and the beginning of payments.name");
    }

    @Test
    void bind_keysBelowASingleText_areRefused() {
        Layers layers = Given.layers("payments.name", "a", "payments.port.number", "1");

        assertThat(Given.refused(Host.class, layers))
                .startsWith("payments.port must be a whole number")
                .endsWith("not an object (store: payments.port.*)");
    }

    @Test
    void bind_unknownName_isRefusedWithTheNearest() {
        Layers layers = Given.layers("payments.json", "{\"name\":\"a\",\"prot\":1,\"zzz\":2}");

        assertThat(Given.refused(Host.class, layers))
                .startsWith("payments.prot is unknown; did you mean port? (store: payments.json @1, line 1")
                .contains("; payments.zzz is unknown (store");
        assertThat(Given.bind(Host.class, layers, UnknownFields.IGNORE)).isEqualTo(new Host("a", 443));
    }

    @Test
    void bind_unknownVariable_isNoReasonToRefuse() {
        Layers layers = Given.environment(Map.of("SHOP_PAYMENTS_NAME", "a", "SHOP_PAYMENTS_SERVICE_HOST", "10.0.0.1"));

        assertThat(Given.bind(Host.class, layers)).isEqualTo(new Host("a", 443));
    }

    @Test
    void bind_unknownName_isWarnedOfOnce() {
        Layers layers = Given.layers("payments.json", "{\"name\":\"a\",\"prot\":1}");
        Layers later = Given.layers("payments.json", "{\"name\":\"b\",\"prot\":2}");
        List<String> log = new ArrayList<>();
        TypeBinder<Host> binder = new TypeBinder<>(
                "payments",
                Host.class,
                UnknownFields.WARN,
                Given.none(),
                Converters.none(),
                Optional.empty(),
                log::add);

        binder.bind(layers);
        binder.bind(later);

        assertThat(log).singleElement().asString().startsWith("payments.prot is unknown; did you mean port?");
    }

    @Test
    void bind_nothingThereAndAFallback_isThat() {
        Host fallback = new Host("f", 1);
        TypeBinder<Host> binder = new TypeBinder<>(
                "payments", Host.class, UnknownFields.REJECT, Given.none(), Converters.none(), Optional.of(fallback));

        assertThat(binder.bind(Given.layers("other", "1"))).isSameAs(fallback);
        assertThat(binder.bind(Given.layers("payments.name", "a"))).isEqualTo(new Host("a", 443));
        assertThatThrownBy(() -> binder.bind(Given.layers("payments.port", "1")))
                .isInstanceOf(Unbindable.class);
    }

    @Test
    void bind_nothingChanged_isTheSameObject() {
        TypeBinder<Host> binder = new TypeBinder<>(
                "payments", Host.class, UnknownFields.REJECT, Given.none(), Converters.none(), Optional.empty());
        Bundled bundled = Bundled.builder().build();
        Layers first = bundled.with(Given.store("payments.name", "a"));
        Host bound = binder.bind(first);

        Layers second = bundled.with(Given.store("payments.name", "a", "other", "x"), first);
        assertThat(binder.bind(second)).isSameAs(bound);
        Layers third = bundled.with(Given.store("payments.name", "b", "other", "x"), second, List.of("payments.name"));
        assertThat(binder.bind(third)).isEqualTo(new Host("b", 443));
        Layers fourth = bundled.with(Given.store("payments.name", "c"), first);
        assertThat(binder.bind(fourth)).isEqualTo(new Host("c", 443));
    }

    @Test
    void bind_everything_isBoundByTheEmptyName() {
        record All(Host payments, int limit) {}
        TypeBinder<All> binder = new TypeBinder<>(
                "", All.class, UnknownFields.REJECT, Given.none(), Converters.none(), Optional.empty());

        assertThat(binder.bind(Given.layers("payments.json", "{\"name\":\"a\"}", "limit", "1")))
                .isEqualTo(new All(new Host("a", 443), 1));
        assertThatThrownBy(() -> binder.bind(Given.layers("limit", "1"))).hasMessage("payments.name is missing");
    }

    record Tree(String name, @DefaultValue("[]") List<Tree> children, Optional<Tree> other) {}

    @Test
    void bind_typeThatContainsItself_isBound() {
        String json = "{\"name\":\"a\",\"children\":[{\"name\":\"b\",\"other\":{\"name\":\"c\"}}]}";

        assertThat(Given.bind(Tree.class, "json", json))
                .isEqualTo(new Tree(
                        "a",
                        List.of(new Tree("b", List.of(), Optional.of(new Tree("c", List.of(), Optional.empty())))),
                        Optional.empty()));
    }

    record Endless(Endless next) {}

    @Test
    void bind_typeThatNeedsItself_isMissing() {
        assertThat(Given.refused(Endless.class, Given.layers())).isEqualTo("payments.next is missing");
    }

    record Positive(int value) {
        Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("must be above 0");
            }
        }
    }

    @Test
    void bind_constructorThrows_isRefusedWithItsMessage() {
        assertThat(Given.refused(Positive.class, Given.layers("payments", "{\"value\":-1}")))
                .isEqualTo("payments is refused by Positive: must be above 0");
    }

    static class Bean {
        private int limit = 7;
        private String name;
        Duration pause = Duration.ofSeconds(1);
        boolean on;
        List<String> tags = List.of("t");
        transient String ignored = "i";

        public void setName(String name) {
            this.name = name + "!";
        }

        public void setEven(int number) {
            if (number % 2 != 0) {
                throw new IllegalArgumentException("must be even");
            }
            limit = number;
        }
    }

    @Test
    void bind_class_isFilledBySettersAndFields() {
        Bean bean = Given.bind(Bean.class, Given.layers("payments", "{name: n, pause: 5s, even: 4}"));

        assertThat(bean.name).isEqualTo("n!");
        assertThat(bean.limit).isEqualTo(4);
        assertThat(bean.pause).isEqualTo(Duration.ofSeconds(5));
        assertThat(bean.on).isFalse();
        assertThat(bean.tags).containsExactly("t");
    }

    @Test
    void bind_classWithoutWhatItNeeds_isMissing() {
        assertThat(Given.refused(Bean.class, Given.layers("payments", "{even: 4}")))
                .isEqualTo("payments.name is missing");
        assertThat(Given.refused(Bean.class, Given.layers("payments", "{name: n, even: 5}")))
                .isEqualTo("payments is refused by Bean: must be even");
        assertThat(Given.refused(Bean.class, Given.layers("payments", "{name: n, even: 4, ignored: x}")))
                .startsWith("payments.ignored is unknown");
    }

    record WithDate(Date date) {}

    record RawList(@SuppressWarnings("rawtypes") List list) {}

    record Arrayed(int[] of) {}

    record TwoSpellings(int retryLimit, int retry_limit) {}

    record WrongDefault(@DefaultValue("x") int limit) {}

    record Generic<T>(T value) {}

    static class NoConstructor {
        NoConstructor(int value) {
            assertThat(value).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                WithDate.class,
                RawList.class,
                Arrayed.class,
                TwoSpellings.class,
                WrongDefault.class,
                Generic.class,
                NoConstructor.class,
                Runnable.class,
                Object.class
            })
    void binder_typeThatCannotBe_isRefusedAtOnce(Class<?> type) {
        assertThatThrownBy(() -> new TypeBinder<>(
                        "payments", type, UnknownFields.WARN, Given.none(), Converters.none(), Optional.empty()))
                .isInstanceOf(ConfigException.class);
    }
}
