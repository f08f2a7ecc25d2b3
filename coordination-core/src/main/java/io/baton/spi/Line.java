package io.baton.spi;

import io.baton.Dialect;

/**
 * Names a line of contenders.
 *
 * @param path where it is: below the store's root, as {@code locks/orders}, segments already encoded; or, with a slash
 *     in front, exactly there, as {@code /legacy/locks/orders}
 * @param dialect how its entries are named
 */
public record Line(String path, Dialect dialect) {

    /** A line of the store's own dialect. */
    public static Line of(String path) {
        return new Line(path, Dialect.BATON);
    }

    /** Whether the path is where it says, not below the store's root. */
    public boolean exact() {
        return path.startsWith("/");
    }

    @Override
    public String toString() {
        return path;
    }
}
