package io.baton.config.values;

import java.util.Collection;
import java.util.List;

/**
 * Which paths hold secrets: by pattern, and by the types that are bound. What the store marks secret is known to {@link Layers}.
 *
 * <p>Grows only. Any thread.
 */
public final class SecretPaths {

    /** These patterns to begin with; {@code *} stands for anything. */
    public SecretPaths(Collection<String> patterns) {
        throw new UnsupportedOperationException(patterns.toString());
    }

    /** These patterns to begin with; {@code *} stands for anything. */
    public static SecretPaths of(String... patterns) {
        return new SecretPaths(List.of(patterns));
    }

    /** From now on these, too. */
    public void add(Collection<String> patterns) {
        throw new UnsupportedOperationException(patterns.toString());
    }

    /** Whether what is at this path, or what it is part of, is secret. */
    public boolean contains(String path) {
        throw new UnsupportedOperationException(path);
    }
}
