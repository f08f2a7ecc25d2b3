package io.baton.spi;

import io.baton.Dialect;

/**
 * Names a line of contenders.
 *
 * @param path the path below the store's root with encoded segments, such as {@code locks/orders}. An exact path is
 *     complete, such as {@code /legacy/locks/orders}, or {@code report} on a store whose names need no leading slash
 * @param exact whether the path counts from the store's own root
 * @param dialect how its entries are named
 */
public record Line(String path, boolean exact, Dialect dialect) {

    /** Returns a line of the store's own dialect, below the store's root. */
    public static Line of(String path) {
        return new Line(path, false, Dialect.BATON);
    }

    /**
     * Returns the line at exactly this path.
     *
     * @throws IllegalArgumentException if {@link Names#checkPath} refuses the path
     */
    public static Line at(String path, Dialect dialect) {
        return new Line(Names.checkPath(path), true, dialect);
    }

    @Override
    public String toString() {
        return path;
    }
}
