package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.baton.config.ConfigValue;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random values, written in each way that there is, are read as they were. The seed is told where they are not. */
class RoundTripTest {

    private static final int SEEDS = Integer.getInteger("baton.config.seeds", 100);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();

    enum Kind {
        PLAIN,
        RATHER_LONG
    }

    record Leaf(
            int count,
            long largeNumber,
            double ratio,
            boolean isOn,
            String someText,
            Kind kindOf,
            Duration pause,
            BigDecimal price,
            Optional<Integer> maybe,
            List<String> texts,
            Set<Integer> codes,
            Map<String, Integer> weights) {}

    record Branch(Leaf leaf, List<Leaf> someLeaves, Map<String, Leaf> named, Optional<Branch> next) {}

    /** Makes values, and the plain lists and maps that they are written as. */
    private static final class Chance {

        private static final List<String> TEXTS = List.of(
                "",
                "x",
                "true",
                "5",
                "null",
                "~",
                "a, b",
                "- a",
                "{x",
                "[",
                " x ",
                "a: b",
                "#",
                "'",
                "\"",
                "\\",
                "\n",
                "\t",
                "é",
                "\u2028",
                "😀",
                "*a",
                "&a",
                "!a",
                "%",
                "@",
                "`",
                "$" + "{x}",
                "no",
                "1.10",
                "0x1F",
                "=");

        private final Random random;
        private final boolean plainNames;

        Chance(long seed, boolean plainNames) {
            this.random = new Random(seed);
            this.plainNames = plainNames;
        }

        Branch branch(int depth) {
            List<Leaf> leaves = new ArrayList<>();
            Map<String, Leaf> named = new LinkedHashMap<>();
            for (int index = random.nextInt(3); index > 0; index--) {
                leaves.add(leaf());
                named.put(name(), leaf());
            }
            Optional<Branch> next =
                    depth > 0 && random.nextBoolean() ? Optional.of(branch(depth - 1)) : Optional.empty();
            return new Branch(leaf(), leaves, named, next);
        }

        private Leaf leaf() {
            List<String> texts = new ArrayList<>();
            Set<Integer> codes = new LinkedHashSet<>();
            Map<String, Integer> weights = new LinkedHashMap<>();
            for (int index = random.nextInt(4); index > 0; index--) {
                texts.add(text());
                codes.add(random.nextInt());
                weights.put(name(), random.nextInt());
            }
            return new Leaf(
                    random.nextInt(),
                    random.nextLong(),
                    random.nextGaussian() * Math.pow(10, random.nextInt(20) - 10),
                    random.nextBoolean(),
                    text(),
                    Kind.values()[random.nextInt(2)],
                    Duration.ofMillis(random.nextInt(100_000)),
                    new BigDecimal(random.nextLong()).movePointLeft(random.nextInt(10)),
                    random.nextBoolean() ? Optional.of(random.nextInt()) : Optional.empty(),
                    texts,
                    codes,
                    weights);
        }

        private String text() {
            String text = TEXTS.get(random.nextInt(TEXTS.size()));
            return random.nextBoolean() ? text : text + TEXTS.get(random.nextInt(TEXTS.size()));
        }

        private String name() {
            String letters =
                    "n" + Integer.toString(random.nextInt(1_000_000), 36).replaceAll("[0-9]", "q");
            return plainNames || random.nextBoolean() ? letters : letters + ". -_é".charAt(random.nextInt(5)) + "Z";
        }

        /** How somebody may write a component's name. */
        String spelled(String name) {
            String kebab = name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            return switch (random.nextInt(4)) {
                case 0 -> kebab;
                case 1 -> kebab.replace('-', '_');
                case 2 -> kebab.replace('-', '_').toUpperCase(Locale.ROOT);
                default -> name;
            };
        }

        Object plain(Object value) {
            if (value instanceof Record parts) {
                Map<String, Object> plain = new LinkedHashMap<>();
                for (RecordComponent component : parts.getClass().getRecordComponents()) {
                    Object part = part(parts, component);
                    if (!(part instanceof Optional<?> optional) || optional.isPresent()) {
                        plain.put(spelled(component.getName()), plain(part));
                    }
                }
                return plain;
            }
            if (value instanceof Optional<?> optional) {
                return plain(optional.orElseThrow());
            }
            if (value instanceof Map<?, ?> map) {
                Map<String, Object> plain = new LinkedHashMap<>();
                map.forEach((name, item) -> plain.put((String) name, plain(item)));
                return plain;
            }
            if (value instanceof Iterable<?> items) {
                List<Object> plain = new ArrayList<>();
                items.forEach(item -> plain.add(plain(item)));
                return plain;
            }
            if (value instanceof Duration duration) {
                return random.nextBoolean() ? duration.toMillis() + "ms" : duration.toString();
            }
            return value instanceof Kind kind ? spelled(kind.name().toLowerCase(Locale.ROOT)) : value;
        }

        private static Object part(Record owner, RecordComponent component) {
            try {
                return component.getAccessor().invoke(owner);
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        /** Path by path; lists of objects by number, or as one text. */
        void flat(String path, Object plain, String separator, Map<String, String> texts) {
            if (plain instanceof Map<?, ?> map && !map.isEmpty()) {
                map.forEach((name, item) -> flat(path + separator + name, item, separator, texts));
            } else if (plain instanceof List<?> list
                    && !list.isEmpty()
                    && list.get(0) instanceof Map
                    && random.nextBoolean()) {
                for (int index = 0; index < list.size(); index++) {
                    flat(path + separator + index, list.get(index), separator, texts);
                }
            } else {
                texts.put(path, plain instanceof Map || plain instanceof List ? json(plain) : plain.toString());
            }
        }
    }

    private static String json(Object plain) {
        try {
            return JSON.writeValueAsString(plain);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String yaml(Object plain) {
        try {
            return YAML.writeValueAsString(plain);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String properties(Map<String, String> texts) {
        Properties properties = new Properties();
        properties.putAll(texts);
        StringWriter written = new StringWriter();
        try {
            properties.store(written, null);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return written.toString();
    }

    private static void assertReadAsItWas(long seed, String form, Branch expected, Layers layers) {
        assertThat(Given.bind(Branch.class, layers))
                .as("%s, seed %d", form, seed)
                .isEqualTo(expected);
    }

    @Test
    void documents_randomValues_areReadAsTheyWere() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Chance chance = new Chance(seed, false);
            Branch branch = chance.branch(3);
            Object plain = chance.plain(branch);

            assertReadAsItWas(seed, "json", branch, Given.layers("payments.json", json(plain)));
            assertReadAsItWas(seed, "yaml", branch, Given.layers("payments.yaml", yaml(plain)));
            assertReadAsItWas(seed, "single key", branch, Given.layers("payments", json(plain)));
        }
    }

    @Test
    void paths_randomValues_areReadAsTheyWere() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Chance chance = new Chance(seed, true);
            Branch branch = chance.branch(3);
            Object plain = chance.plain(branch);
            Map<String, String> paths = new LinkedHashMap<>();
            chance.flat("payments", plain, ".", paths);
            Map<String, String> within = new LinkedHashMap<>();
            paths.forEach((path, text) -> within.put(path.substring("payments.".length()), text));

            assertReadAsItWas(seed, "keys", branch, Bundled.builder().build().with(store(paths)));
            assertReadAsItWas(seed, "properties", branch, Given.layers("payments.properties", properties(within)));
            assertReadAsItWas(
                    seed,
                    "defaults",
                    branch,
                    Bundled.builder().defaults(paths).build().with(store(Map.of())));
            assertReadAsItWas(seed, "layers", branch, spread(chance.random, paths));
        }
    }

    @Test
    void variables_randomValues_areReadAsTheyWere() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Chance chance = new Chance(seed, true);
            Branch branch = chance.branch(2);
            Map<String, String> flat = new LinkedHashMap<>();
            chance.flat("SHOP_PAYMENTS", chance.plain(branch), "_", flat);
            Map<String, String> variables = new LinkedHashMap<>();
            flat.forEach(
                    (name, text) -> variables.put(name.toUpperCase(Locale.ROOT).replace('-', '_'), text));

            assertReadAsItWas(seed, "variables", branch, Given.environment(variables));
        }
    }

    private static SortedMap<String, ConfigValue> store(Map<String, String> texts) {
        SortedMap<String, ConfigValue> store = new TreeMap<>();
        texts.forEach((key, text) -> store.put(key, new ConfigValue(key, text, 1, false)));
        return store;
    }

    /** Each text in one of three layers, lists whole, and nonsense in those that are weaker. */
    private static Layers spread(Random random, Map<String, String> paths) {
        List<Map<String, String>> layers = List.of(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        Map<String, Integer> chosen = new LinkedHashMap<>();
        paths.forEach((path, text) -> {
            String whole = path.replaceFirst("\\.\\d+\\..*", "");
            int strongest = chosen.computeIfAbsent(whole, list -> random.nextInt(3));
            layers.get(strongest).put(path, text);
            for (int weaker = 0; weaker < strongest; weaker++) {
                if (!text.equals("{}")) {
                    layers.get(weaker).put(path, "nonsense");
                }
            }
        });
        return Bundled.builder()
                .defaults(layers.get(0))
                .defaults(layers.get(1))
                .build()
                .with(store(layers.get(2)));
    }
}
