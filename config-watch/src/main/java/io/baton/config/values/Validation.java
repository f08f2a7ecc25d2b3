package io.baton.config.values;

import io.baton.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** Checks bound values by their annotations, if Jakarta Validation and a provider of it are there. */
interface Validation {

    /** Notes what a value at a position does not meet. */
    void check(Object value, LayeredValue at, Reading reading);

    /**
     * What the class path has.
     *
     * @throws ConfigException if there is a provider that cannot be started: constraints would be passed over
     */
    static Validation ofClassPath() {
        Validation found = load();
        return found == null ? (value, at, reading) -> {} : found;
    }

    private static @Nullable Validation load() {
        try {
            Class.forName("jakarta.validation.Validation", false, Validation.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError absent) {
            return null;
        }
        return JakartaValidation.shared();
    }
}
