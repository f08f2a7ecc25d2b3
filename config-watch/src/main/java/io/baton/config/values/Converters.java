package io.baton.config.values;

import io.baton.config.Converter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converters of texts to users' own types. Immutable. */
public final class Converters {

    private static final Converters NONE = new Converters(Map.of());

    private final Map<Class<?>, ScalarShape> shapes;

    private Converters(Map<Class<?>, ScalarShape> shapes) {
        this.shapes = shapes;
    }

    /** Returns an empty set. */
    public static Converters none() {
        return NONE;
    }

    /**
     * Adds this one, or replaces an earlier one for the same type.
     *
     * @param expected what a text must be, for people, as {@code a currency as EUR}
     * @param converter throws, or returns null, if a text is invalid
     */
    public <T> Converters with(Class<T> type, String expected, Converter<? extends @Nullable T> converter) {
        Map<Class<?>, ScalarShape> more = new HashMap<>(shapes);
        more.put(type, new ScalarShape(expected, scalar -> made(type, converter, scalar.text()), false));
        return new Converters(Map.copyOf(more));
    }

    /** Refuses a value of another type, from a converter whose type was cast. */
    private static <T> @Nullable Object made(Class<T> type, Converter<? extends @Nullable T> converter, String text) {
        try {
            @Nullable T value = converter.convert(text);
            return type.isPrimitive() || type.isInstance(value) ? value : null;
        } catch (Throwable somethingElse) {
            return null; // its message may contain the text
        }
    }

    /** Returns null if there is none for exactly this type. */
    @Nullable
    ScalarShape of(Class<?> type) {
        return shapes.get(type);
    }
}
