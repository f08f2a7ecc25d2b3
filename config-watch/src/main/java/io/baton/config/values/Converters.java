package io.baton.config.values;

import io.baton.config.Converter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How texts become values of types that are the user's own. Immutable. */
public final class Converters {

    private static final Converters NONE = new Converters(Map.of());

    private final Map<Class<?>, ScalarShape> shapes;

    private Converters(Map<Class<?>, ScalarShape> shapes) {
        this.shapes = shapes;
    }

    /** None. */
    public static Converters none() {
        return NONE;
    }

    /**
     * With this one as well, or in the place of an earlier one for the same type.
     *
     * @param expected what a text must be, for people, as {@code a currency as EUR}
     * @param converter throws, or returns null, if a text is something else
     */
    public <T> Converters with(Class<T> type, String expected, Converter<? extends @Nullable T> converter) {
        Map<Class<?>, ScalarShape> more = new HashMap<>(shapes);
        more.put(type, new ScalarShape(expected, scalar -> made(type, converter, scalar.text()), false));
        return new Converters(Map.copyOf(more));
    }

    /** Whatever was made, by a converter whose type was cast, must not come into a place where it does not fit. */
    private static <T> @Nullable Object made(Class<T> type, Converter<? extends @Nullable T> converter, String text) {
        try {
            @Nullable T value = converter.convert(text);
            return type.isPrimitive() || type.isInstance(value) ? value : null;
        } catch (Throwable somethingElse) {
            return null; // its message may hold the text
        }
    }

    /** Null if there is none for this very type. */
    @Nullable
    ScalarShape of(Class<?> type) {
        return shapes.get(type);
    }
}
