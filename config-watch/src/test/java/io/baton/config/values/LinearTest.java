package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.baton.config.UnknownFields;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ten times the text takes ten times the work, not a hundred times: counted in bytes that are allocated on the way. */
class LinearTest {

    private static final int SOME = 500;
    private static final int TIMES = 10;

    /** A hundred times would be quadratic. */
    private static final int LINEAR = 3 * TIMES;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    record Settings(Map<String, String> all) {}

    private static String joined(int n, String between, IntFunction<String> each) {
        return IntStream.range(0, n).mapToObj(each).collect(Collectors.joining(between));
    }

    private static long allocated(Runnable work) {
        work.run();
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        work.run();
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    private static void linear(IntFunction<Runnable> work) {
        long little = allocated(work.apply(SOME));
        long much = allocated(work.apply(TIMES * SOME));
        assertThat(much).isLessThan(LINEAR * little);
    }

    private static Runnable bound(Class<?> type, SecretPaths secrets, String key, String text) {
        Layers none = Given.layers();
        Layers layers = Given.layers(key, text);
        return () -> {
            try {
                new TypeBinder<>("payments", type, UnknownFields.WARN, secrets, Converters.none(), Optional.empty())
                        .bind(layers);
            } catch (Unbindable refused) {
                assertThat(refused.reason().length()).isLessThan(2_000);
            }
            assertThat(layers.changes("payments", none, secrets)).isNotEmpty();
            boolean unused = layers.secretKey(key, secrets);
            assertThat(layers.explain("payments", secrets).toString()).isNotEmpty();
        };
    }

    static Stream<Arguments> documents() {
        return Stream.of(
                Arguments.of("payments", (IntFunction<String>)
                        n -> " \n{" + joined(n, ", ", i -> "\"a" + i + "\": \"x\"") + "}"),
                Arguments.of("payments", (IntFunction<String>)
                        n -> " ".repeat(n) + "{" + joined(n, ", ", i -> "a" + i + ": x") + "}"),
                Arguments.of("payments.json", (IntFunction<String>)
                        n -> "{" + joined(n, ", ", i -> "\"a" + i + "\": " + i) + "}"),
                Arguments.of("payments.yaml", (IntFunction<String>) n -> joined(n, "\n", i -> "a" + i + ": x")),
                Arguments.of("payments.yaml", (IntFunction<String>)
                        n -> "all:\n" + joined(n, "\n", i -> "  a" + i + ": {b: x}")),
                Arguments.of(
                        "payments.properties", (IntFunction<String>) n -> joined(n, "\n", i -> "all.a" + i + "=x")));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void bindExplainAndCompare_documentsWithManyNames_areLinear(String key, IntFunction<String> text) {
        linear(n -> bound(Settings.class, SecretPaths.of("*.password"), key, text.apply(n)));
        linear(n -> bound(Lists.class, Given.none(), key, text.apply(n)));
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of((IntFunction<String>) n -> joined(n, ",", i -> "x" + i)),
                Arguments.of((IntFunction<String>) n -> "[" + joined(n, ", ", i -> "x" + i) + "]"),
                Arguments.of((IntFunction<String>) n -> "\u0001".repeat(n)),
                Arguments.of((IntFunction<String>) n -> " ".repeat(n) + "x" + " ".repeat(n)),
                Arguments.of((IntFunction<String>) n -> "1".repeat(n)),
                Arguments.of((IntFunction<String>) n -> "[".repeat(n)),
                Arguments.of((IntFunction<String>) n -> "{".repeat(n) + "\u0085".repeat(n)));
    }

    record Lists(List<Integer> all) {}

    @ParameterizedTest
    @MethodSource("texts")
    void bind_longTexts_isLinear(IntFunction<String> text) {
        linear(n -> bound(Lists.class, Given.none(), "payments.all", text.apply(n)));
        linear(n -> bound(Lists.class, SecretPaths.of("*.b"), "payments.all", text.apply(n)));
    }

    @Test
    void check_documentsInOneLine_takesSoMuchForEachCharacterAtMost() {
        for (String ending : List.of("json", "yaml", "properties")) {
            for (String piece : List.of("{", "a", "\\u00", "- ", "a: b\n", "a, ")) {
                for (int length : new int[] {100_000, 250_000, 3_000_000}) {
                    String text = "\"" + piece.repeat(length / piece.length());
                    assertThat(allocated(() -> DocumentCheck.trouble("a." + ending, text)))
                            .isLessThan(1_000L * text.length());
                    assertThat(allocated(() -> DocumentCheck.trouble("a." + ending, text.substring(1))))
                            .isLessThan(1_000L * text.length());
                }
            }
        }
    }

    @Test
    void check_longLines_isLinear() {
        for (String piece : List.of("- " + "a".repeat(50_000) + "\n", "- \"" + "a".repeat(50_000) + "\"\n")) {
            linear(n -> () -> assertThat(DocumentCheck.trouble("a.yaml", piece.repeat(n / 100)))
                    .isEmpty());
        }
    }

    @Test
    void withoutSecrets_manySecretsInALongMessage_isLinear() {
        linear(n -> {
            Layers layers = Given.layers("payments.yaml", joined(n, "\n", i -> "a" + i + ": hunter" + i));
            var texts = new SecretTexts(SecretPaths.of("payments"));
            String message = joined(n, " ", i -> "what is hunter" + i + "?");
            return () -> {
                texts.add(layers.at("payments"));
                assertThat(texts.without(message)).doesNotContain("hunter");
            };
        });
    }
}
