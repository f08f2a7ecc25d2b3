package io.baton.config.values;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Makes values of a type. */
interface Shape {

    /** Returns the value; null if no layer has one, or after noting a problem. */
    @Nullable
    Object read(LayeredValue at, Reading reading);

    /** Returns the value if no layer has one; null if there is none, or after noting a problem. */
    default @Nullable Object byDefaults(LayeredValue at, Reading reading) {
        return null;
    }

    /** Returns whether all of it is secret. */
    default boolean secret() {
        return false;
    }

    /** Adds the patterns of secret paths within it. */
    default void secrets(String path, Collection<String> found, Collection<Shape> within) {
        if (secret()) {
            found.add(path);
        }
    }
}
