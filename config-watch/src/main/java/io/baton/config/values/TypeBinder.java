package io.baton.config.values;

import io.baton.config.UnknownFields;
import java.util.Optional;

/**
 * Makes values of a type of what the layers say at a path.
 *
 * <p>While nothing that it depends on has changed, {@link #bind} returns the very same value. Any thread.
 */
public final class TypeBinder<T> {

    /**
     * Looks at the type.
     *
     * @param name the path; {@code ""} is everything
     * @param secrets gets to know the type's secret paths
     * @param fallback for where no layer has anything
     * @throws io.baton.config.ConfigException if nothing can be bound to such a type
     */
    public TypeBinder(String name, Class<T> type, UnknownFields unknown, SecretPaths secrets, Optional<T> fallback) {
        throw new UnsupportedOperationException(name + type + unknown + secrets + fallback);
    }

    /**
     * Binds and validates.
     *
     * @throws Unbindable if it cannot be
     */
    public T bind(Layers layers) throws Unbindable {
        throw new UnsupportedOperationException(layers.toString());
    }
}
