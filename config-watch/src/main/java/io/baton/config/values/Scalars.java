package io.baton.config.values;

import io.baton.Secret;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The types whose values are one text. No number is truncated or wraps around. */
final class Scalars {

    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,200}(\\.\\d{1,200})?([eE][+-]?\\d{1,9})?");
    private static final int MOST_DIGITS = 1_000;
    private static final int MOST_CONSTANTS = 20;

    private static final Map<Class<?>, ScalarShape> SHAPES = new HashMap<>();

    private Scalars() {}

    static {
        whole(byte.class, Byte.class, Byte.MIN_VALUE, Byte.MAX_VALUE, BigDecimal::byteValueExact);
        whole(short.class, Short.class, Short.MIN_VALUE, Short.MAX_VALUE, BigDecimal::shortValueExact);
        whole(int.class, Integer.class, Integer.MIN_VALUE, Integer.MAX_VALUE, BigDecimal::intValueExact);
        whole(long.class, Long.class, Long.MIN_VALUE, Long.MAX_VALUE, BigDecimal::longValueExact);
        add("a whole number", scalar -> bigInteger(number(scalar)), BigInteger.class);
        add("a number", Scalars::number, BigDecimal.class);
        add("a number", scalar -> finite(number(scalar)), double.class, Double.class);
        add("a number", scalar -> finiteFloat(number(scalar)), float.class, Float.class);
        add("true or false", Scalars::truth, boolean.class, Boolean.class);
        add("a text", Value.Scalar::text, String.class);
        add("one character", Scalars::character, char.class, Character.class);
        add(Durations.EXPECTED, text(Durations::parse), Duration.class);
        add("a URI", text(URI::create), URI.class);
        add("a path", scalar -> scalar.text().isEmpty() ? null : Path.of(scalar.text()), Path.class);
        add("a point in time as 2026-01-31T08:30:00Z", text(Instant::parse), Instant.class);
        add("a date as 2026-01-31", text(LocalDate::parse), LocalDate.class);
        add("a UUID as 123e4567-e89b-12d3-a456-426614174000", text(Scalars::uuid), UUID.class);
        add("a time zone as Europe/Berlin or +02:00", text(ZoneId::of), ZoneId.class);
        add("a character set of this JVM as UTF-8", text(Charset::forName), Charset.class);
        add(
                "a language tag as de-DE",
                text(tag -> new Locale.Builder().setLanguageTag(tag).build()),
                Locale.class);
        add("a regular expression of Java", scalar -> Pattern.compile(scalar.text()), Pattern.class);
        SHAPES.put(
                Secret.class,
                new ScalarShape("a text", scalar -> Secret.from(scalar.origin().place(), scalar.text()), true));
    }

    private static void add(String expected, Function<Value.Scalar, @Nullable Object> parser, Class<?>... types) {
        for (Class<?> type : types) {
            SHAPES.put(type, new ScalarShape(expected, parser, false));
        }
    }

    private static void whole(
            Class<?> primitive, Class<?> boxed, long least, long most, Function<BigDecimal, Object> exact) {
        String expected = "a whole number from " + least + " to " + most;
        add(expected, scalar -> exact.apply(number(scalar)), primitive, boxed);
    }

    /** Returns null for any other type. */
    static @Nullable ScalarShape of(Class<?> type) {
        return type.isEnum() ? constants(type) : SHAPES.get(type);
    }

    private static ScalarShape constants(Class<?> type) {
        Map<String, Object> byName = new HashMap<>();
        for (Object constant : type.getEnumConstants()) {
            byName.put(KeyNames.canonical(((Enum<?>) constant).name()), constant);
        }
        String names = Arrays.stream(type.getEnumConstants())
                .limit(MOST_CONSTANTS)
                .map(constant -> ((Enum<?>) constant).name())
                .collect(Collectors.joining(", "));
        String more = type.getEnumConstants().length > MOST_CONSTANTS ? ", …" : "";
        return new ScalarShape(
                "one of " + names + more,
                scalar -> byName.get(KeyNames.canonical(scalar.text().strip())),
                false);
    }

    private static Function<Value.Scalar, @Nullable Object> text(Function<String, ? extends @Nullable Object> parser) {
        return scalar ->
                scalar.text().isBlank() ? null : parser.apply(scalar.text().strip());
    }

    private static BigDecimal number(Value.Scalar scalar) {
        String digits = scalar.number().strip();
        if (scalar.kind() == Value.Scalar.Kind.BOOLEAN
                || !NUMBER.matcher(digits).matches()) {
            throw new NumberFormatException("no number");
        }
        return new BigDecimal(digits);
    }

    /** Requires all digits, whereas Java also accepts {@code 1-1-1-1-1}. */
    private static @Nullable Object uuid(String text) {
        UUID parsed = UUID.fromString(text);
        return parsed.toString().equalsIgnoreCase(text) ? parsed : null;
    }

    private static @Nullable Object bigInteger(BigDecimal number) {
        boolean bounded = Math.abs((long) number.scale()) + number.precision() < MOST_DIGITS;
        return bounded ? number.toBigIntegerExact() : null;
    }

    private static @Nullable Object finite(BigDecimal number) {
        double value = number.doubleValue();
        boolean vanished = value == 0 && number.signum() != 0;
        return Double.isInfinite(value) || vanished ? null : value;
    }

    private static @Nullable Object finiteFloat(BigDecimal number) {
        float value = number.floatValue();
        boolean vanished = value == 0 && number.signum() != 0;
        return Float.isInfinite(value) || vanished ? null : value;
    }

    private static @Nullable Object truth(Value.Scalar scalar) {
        if (scalar.kind() == Value.Scalar.Kind.BOOLEAN) {
            return scalar.text().equalsIgnoreCase("true");
        }
        return switch (scalar.text().strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> null;
        };
    }

    private static @Nullable Object character(Value.Scalar scalar) {
        return scalar.text().length() == 1 ? scalar.text().charAt(0) : null;
    }
}
