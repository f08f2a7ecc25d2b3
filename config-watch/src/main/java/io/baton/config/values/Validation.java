package io.baton.config.values;

import io.baton.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** Checks bound values by their annotations, if Jakarta Validation and a provider of it are present. */
interface Validation {

    /** Notes the constraints that a value at a position violates. */
    void check(Object value, LayeredValue at, Reading reading);

    /**
     * Returns the validation on the class path, if any.
     *
     * @throws ConfigException if there is a provider that cannot be started, because constraints would be ignored
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
