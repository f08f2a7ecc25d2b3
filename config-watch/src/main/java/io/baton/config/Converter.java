package io.baton.config;

import org.jspecify.annotations.Nullable;

/** How a text becomes a value of a type. A function of nothing else, for any thread. */
@FunctionalInterface
public interface Converter<T extends @Nullable Object> {

    /**
     * Converts.
     *
     * @param text as it is written
     * @return null if the text is no such value
     * @throws Exception if the text is no such value
     */
    T convert(String text) throws Exception;
}
