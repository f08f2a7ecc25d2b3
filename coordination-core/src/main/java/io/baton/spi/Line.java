package io.baton.spi;

import io.baton.Dialect;

/**
 * Names a line of contenders.
 *
 * @param path where it is: below the store's root, as {@code locks/orders}, segments already encoded; or, if {@code
 *     exact}, exactly there, as {@code /legacy/locks/orders}, or {@code report} on a store whose names need no slash in
 *     front
 * @param exact whether the path counts from the store's own root
 * @param dialect how its entries are named
 */
public record Line(String path, boolean exact, Dialect dialect) {

    /** A line of the store's own dialect, below the store's root. */
    public static Line of(String path) {
        return new Line(path, false, Dialect.BATON);
    }

    /**
     * The line at exactly this path.
     *
     * @throws IllegalArgumentException as {@link Names#checkPath}
     */
    public static Line at(String path, Dialect dialect) {
        return new Line(Names.checkPath(path), true, dialect);
    }

    @Override
    public String toString() {
        return path;
    }
}
