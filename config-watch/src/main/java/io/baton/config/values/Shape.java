package io.baton.config.values;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** How values of a type are made. */
interface Shape {

    /** The value; null if nobody says anything, or if what is said is noted as a problem. */
    @Nullable
    Object read(LayeredValue at, Reading reading);

    /** The value where nobody says anything; null if there is none, or for a noted problem. */
    default @Nullable Object byDefaults(LayeredValue at, Reading reading) {
        return null;
    }

    /** Whether all of it is secret. */
    default boolean secret() {
        return false;
    }

    /** Adds the patterns of the paths within it that are secret. */
    default void secrets(String path, Collection<String> found, Collection<Shape> within) {
        if (secret()) {
            found.add(path);
        }
    }
}
