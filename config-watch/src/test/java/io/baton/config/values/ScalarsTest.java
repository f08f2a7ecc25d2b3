package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalarsTest {

    enum Mode {
        FAST,
        VERY_SAFE
    }

    enum Twenty {
        A,
        B,
        C,
        D,
        E,
        F,
        G,
        H,
        I,
        J,
        K,
        L,
        M,
        N,
        O,
        P,
        Q,
        R,
        S,
        T
    }

    enum TwentyOne {
        A,
        B,
        C,
        D,
        E,
        F,
        G,
        H,
        I,
        J,
        K,
        L,
        M,
        N,
        O,
        P,
        Q,
        R,
        S,
        T,
        U
    }

    @Test
    void bind_constantOfMany_namesTwentyOfThem() {
        assertThat(Given.refused(Twenty.class, Given.layers("payments", "x"))).contains("S, T, not 'x'");
        assertThat(Given.refused(TwentyOne.class, Given.layers("payments", "x")))
                .contains("S, T, …, not 'x'");
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of(int.class, "5", 5),
                Arguments.of(int.class, " 5 ", 5),
                Arguments.of(int.class, "-2147483648", Integer.MIN_VALUE),
                Arguments.of(int.class, "1e3", 1000),
                Arguments.of(int.class, "7.0", 7),
                Arguments.of(Integer.class, "+5", 5),
                Arguments.of(long.class, "9223372036854775807", Long.MAX_VALUE),
                Arguments.of(short.class, "-1", (short) -1),
                Arguments.of(byte.class, "127", (byte) 127),
                Arguments.of(double.class, "1.5", 1.5),
                Arguments.of(double.class, "0", 0.0),
                Arguments.of(float.class, "0.25", 0.25f),
                Arguments.of(boolean.class, "true", true),
                Arguments.of(Boolean.class, "false", false),
                Arguments.of(char.class, "x", 'x'),
                Arguments.of(String.class, "", ""),
                Arguments.of(String.class, " a ", " a "),
                Arguments.of(String.class, "{name}, welcome", "{name}, welcome"),
                Arguments.of(String.class, "[x", "[x"),
                Arguments.of(BigDecimal.class, "12345678901234567890.5", new BigDecimal("12345678901234567890.5")),
                Arguments.of(BigInteger.class, "123456789012345678901", new BigInteger("123456789012345678901")),
                Arguments.of(Duration.class, "250ms", Duration.ofMillis(250)),
                Arguments.of(Duration.class, "5s", Duration.ofSeconds(5)),
                Arguments.of(Duration.class, "2 m", Duration.ofMinutes(2)),
                Arguments.of(Duration.class, "1h", Duration.ofHours(1)),
                Arguments.of(Duration.class, "1d", Duration.ofDays(1)),
                Arguments.of(Duration.class, "PT1M30S", Duration.ofSeconds(90)),
                Arguments.of(URI.class, "https://pay.example/x?y=1", URI.create("https://pay.example/x?y=1")),
                Arguments.of(Path.class, "/var/lib/x", Path.of("/var/lib/x")),
                Arguments.of(Instant.class, "2026-01-31T08:30:00Z", Instant.parse("2026-01-31T08:30:00Z")),
                Arguments.of(LocalDate.class, "2026-01-31", LocalDate.of(2026, 1, 31)),
                Arguments.of(
                        UUID.class,
                        "123e4567-E89B-12d3-a456-426614174000",
                        UUID.fromString("123e4567-e89b-12d3-a456-426614174000")),
                Arguments.of(ZoneId.class, "Europe/Berlin", ZoneId.of("Europe/Berlin")),
                Arguments.of(ZoneId.class, "+02:00", ZoneId.of("+02:00")),
                Arguments.of(Charset.class, "utf-8", StandardCharsets.UTF_8),
                Arguments.of(Locale.class, "de-DE", Locale.GERMANY),
                Arguments.of(Mode.class, "FAST", Mode.FAST),
                Arguments.of(Mode.class, "very-safe", Mode.VERY_SAFE),
                Arguments.of(Mode.class, "VerySafe", Mode.VERY_SAFE));
    }

    @Test
    void bind_pattern_isCompiledAsItIsWritten() {
        assertThat(Given.bind(Pattern.class, Given.layers("payments", " a+ ")).pattern())
                .isEqualTo(" a+ ");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void bind_singleKey_isParsed(Class<?> type, String text, Object expected) {
        assertThat((Object) Given.bind(type, Given.layers("payments", text))).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void bind_variable_isParsed(Class<?> type, String text, Object expected) {
        Layers layers = Given.environment(Map.of("SHOP_PAYMENTS", text));

        assertThat((Object) Given.bind(type, layers)).isEqualTo(expected);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(int.class, "1.5", "a whole number from -2147483648 to 2147483647, not '1.5'"),
                Arguments.of(
                        int.class, "2147483648", "a whole number from -2147483648 to 2147483647, not '2147483648'"),
                Arguments.of(int.class, "1e999999999", "a whole number"),
                Arguments.of(int.class, "1e-999999999", "a whole number"),
                Arguments.of(int.class, "", "a whole number from -2147483648 to 2147483647, not an empty text"),
                Arguments.of(int.class, "0x10", "a whole number"),
                Arguments.of(int.class, "five", "a whole number"),
                Arguments.of(int.class, "1,000", "a whole number"),
                Arguments.of(int.class, "٣", "a whole number"),
                Arguments.of(int.class, "true", "a whole number"),
                Arguments.of(long.class, "9223372036854775808", "a whole number"),
                Arguments.of(byte.class, "128", "a whole number from -128 to 127"),
                Arguments.of(double.class, "NaN", "a number"),
                Arguments.of(
                        UUID.class, "1-1-1-1-1", "a UUID as 123e4567-e89b-12d3-a456-426614174000, not '1-1-1-1-1'"),
                Arguments.of(ZoneId.class, "Berlin", "a time zone as Europe/Berlin or +02:00, not 'Berlin'"),
                Arguments.of(Charset.class, "utf-9", "a character set of this JVM as UTF-8, not 'utf-9'"),
                Arguments.of(Locale.class, "de_DE", "a language tag as de-DE, not 'de_DE'"),
                Arguments.of(Pattern.class, "(", "a regular expression of Java, not '('"),
                Arguments.of(double.class, "1e400", "a number"),
                Arguments.of(double.class, "1e-400", "a number"),
                Arguments.of(float.class, "1e40", "a number"),
                Arguments.of(BigInteger.class, "1e999999", "a whole number"),
                Arguments.of(boolean.class, "yes", "true or false, not 'yes'"),
                Arguments.of(boolean.class, "TRUE", "true or false"),
                Arguments.of(boolean.class, "1", "true or false"),
                Arguments.of(char.class, "xy", "one character"),
                Arguments.of(Duration.class, "5", "a duration as 250ms, 5s, 2m, 1h, 1d or PT5S, not '5'"),
                Arguments.of(Duration.class, "999999999999999999d", "a duration"),
                Arguments.of(Duration.class, "-5s", "a duration"),
                Arguments.of(Duration.class, "1.5s", "a duration"),
                Arguments.of(URI.class, "not a uri", "a URI"),
                Arguments.of(Path.class, "", "a path"),
                Arguments.of(Instant.class, "2026-01-31", "a point in time"),
                Arguments.of(LocalDate.class, "2026-02-30", "a date as 2026-01-31"),
                Arguments.of(Mode.class, "slow", "one of FAST, VERY_SAFE, not 'slow'"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void bind_somethingElse_isRefusedAndSaysWhatIsExpected(Class<?> type, String text, String expected) {
        String reason = Given.refused(type, Given.layers("payments", text));

        assertThat(reason).startsWith("payments must be ").contains(expected).endsWith("(store: payments @1)");
    }

    record Whole(int value) {}

    record Text(String value) {}

    record Truth(boolean value) {}

    record Amount(double value) {}

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5|5", "\"5\"|5", "5.0|5", "-0|0",
            })
    void bind_jsonNumber_isParsed(String json, int expected) {
        assertThat(Given.bind(Whole.class, "json", "{\"value\":" + json + "}").value())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.5|not 1.5",
                "2147483648|not 2147483648",
                "1e400|not 1e400",
                "true|not true",
                "[5]|not a list",
                "{}|not an object",
            })
    void bind_jsonOfAnotherKind_isRefused(String json, String expected) {
        String reason = Given.refused(Whole.class, Given.layers("payments.json", "{\n \"value\":" + json + "}"));

        assertThat(reason)
                .startsWith("payments.value must be a whole number")
                .contains(expected)
                .contains("(store: payments.json @1, line 2, column ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"5|5", "1.10|1.10", "true|true", "x|x", "007|007", "2026-01-31|2026-01-31", "1_000|1_000", "no|no"
            })
    void bind_yamlScalarToText_isAsItIsWritten(String yaml, String expected) {
        assertThat(Given.bind(Text.class, "yaml", "value: " + yaml).value()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"5|5", "1_000|1000", "'5'|5", "+5|5"})
    void bind_yamlNumber_isParsed(String yaml, int expected) {
        assertThat(Given.bind(Whole.class, "yaml", "value: " + yaml).value()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"true,true", "True,true", "TRUE,true", "false,false"})
    void bind_yamlTruth_isParsed(String yaml, boolean expected) {
        assertThat(Given.bind(Truth.class, "yaml", "value: " + yaml).value()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "off", "yes", "no", "y", "ON", "1"})
    void bind_whatOldYamlTakesForTruth_isRefused(String yaml) {
        assertThat(Given.refused(Truth.class, Given.layers("payments.yaml", "value: " + yaml)))
                .contains("must be true or false, not ");
    }

    @Test
    void bind_numbersOfManyDigits_areRefusedNotCut() {
        assertThat(Given.refused(Amount.class, Given.layers("payments.json", "{\"value\":" + "9".repeat(5000) + "}")))
                .contains("payments.json is too deep, or has a name or a number that is too long");
    }
}
