package io.baton.config.values;

import io.baton.config.UnknownFields;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes values of a type from the layers at a path.
 *
 * <p>While nothing on which it depends changes, {@link #bind} returns the same object. Any thread.
 */
public final class TypeBinder<T> {

    private static final Logger log = LoggerFactory.getLogger(TypeBinder.class);
    private static final int MOST_WARNINGS = 1_000;

    private record Last<T>(Layers layers, T value) {}

    private final Consumer<String> warnings;
    private final String name;
    private final UnknownFields unknown;
    private final SecretPaths secrets;
    private final @Nullable T fallback;
    private final Shape shape;
    private final Validation validation;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Last<T> last;

    /**
     * Examines the type.
     *
     * @param name the path; {@code ""} for everything
     * @param secrets receives the type's secret paths
     * @param converters for users' own types
     * @param fallback the value if no layer has any
     * @throws io.baton.config.ConfigException if nothing can be bound to such a type
     */
    public TypeBinder(
            String name,
            Class<T> type,
            UnknownFields unknown,
            SecretPaths secrets,
            Converters converters,
            Optional<T> fallback) {
        this(name, type, unknown, secrets, converters, fallback, warning -> log.warn("{}", warning));
    }

    /** Uses another log. */
    TypeBinder(
            String name,
            Class<T> type,
            UnknownFields unknown,
            SecretPaths secrets,
            Converters converters,
            Optional<T> fallback,
            Consumer<String> warnings) {
        this.warnings = warnings;
        this.name = name;
        this.unknown = unknown;
        this.secrets = secrets;
        this.fallback = fallback.orElse(null);
        this.shape = new Shapes(converters).of(type, name);
        this.validation = Validation.ofClassPath();
        Set<String> paths = new HashSet<>();
        shape.secrets(name, paths, new HashSet<>());
        secrets.add(paths);
    }

    /**
     * Binds and validates.
     *
     * @throws Unbindable if that fails; the reason has the problems found, up to five
     */
    public T bind(Layers layers) throws Unbindable {
        Last<T> known = last;
        if (known != null && layers.same(name, known.layers())) {
            last = new Last<>(layers, known.value());
            return known.value();
        }
        T value = read(layers);
        last = new Last<>(layers, value);
        return value;
    }

    @SuppressWarnings("unchecked") // the shape was made for exactly this type
    private T read(Layers layers) {
        Reading reading = new Reading(secrets, unknown, this::warn);
        LayeredValue at = layers.at(name);
        Object value = shape.read(at, reading);
        if (value == null && reading.problems() == 0) {
            if (fallback != null) {
                return fallback;
            }
            value = shape.byDefaults(at, reading);
            if (value == null && reading.problems() == 0) {
                reading.missing(at);
            }
        }
        if (value != null && reading.problems() == 0) {
            validation.check(value, at, reading);
        }
        reading.end();
        if (value == null) {
            throw new IllegalStateException(name);
        }
        return (T) value;
    }

    /**
     * Removes secrets from a message about a value: those in these layers, and those in the layers that it was last
     * bound to.
     *
     * @param message the message of users' code
     */
    public String withoutSecrets(String message, Layers inUse) {
        SecretTexts texts = new SecretTexts(secrets);
        texts.add(inUse.at(name));
        Last<T> candidate = last;
        if (candidate != null) {
            texts.add(candidate.layers().at(name));
        }
        return texts.without(message);
    }

    private void warn(String path, String reason) {
        if (warned.size() < MOST_WARNINGS && warned.add(path)) {
            warnings.accept(reason);
        }
    }
}
