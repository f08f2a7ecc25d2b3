package io.baton.config;

import org.jspecify.annotations.Nullable;

/** Converts a text to a value of a type. It must depend on the text alone, and may be called by any thread. */
@FunctionalInterface
public interface Converter<T extends @Nullable Object> {

    /**
     * Converts.
     *
     * @param text the text as written
     * @return null if the text is invalid
     * @throws Exception if the text is invalid
     */
    T convert(String text) throws Exception;
}
