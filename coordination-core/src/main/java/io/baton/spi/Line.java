package io.baton.spi;

import io.baton.Dialect;

/**
 * Names a line of contenders.
 *
 * @param path the path below the store's root with encoded segments, such as {@code locks/orders}. An exact path is
 *     complete, such as {@code /legacy/locks/orders}, or {@code report} on a store whose names need no leading slash
 * @param exact whether the path counts from the store's own root
 * @param dialect how its entries are named
 * @param kind what its contenders may claim
 */
public record Line(String path, boolean exact, Dialect dialect, Kind kind) {

    /** What the contenders of a line may claim. All clients of a line agree on it, as its entries are named by it. */
    public enum Kind {
        /** {@link Claim#EXCLUSIVE}. */
        MUTEX,
        /** {@link Claim#EXCLUSIVE} and {@link Claim#SHARED}. */
        READ_WRITE,
        /** {@link Claim#permits}. */
        PERMITS;

        /** Whether a contender of such a line may claim this. */
        public boolean admits(Claim claim) {
            return switch (claim.mode()) {
                case EXCLUSIVE -> this == MUTEX || this == READ_WRITE;
                case SHARED -> this == READ_WRITE;
                case PERMITS -> this == PERMITS;
            };
        }
    }

    /** Returns a mutex's line of the store's own dialect, below the store's root. */
    public static Line of(String path) {
        return of(path, Kind.MUTEX);
    }

    /** Returns a line of this kind and of the store's own dialect, below the store's root. */
    public static Line of(String path, Kind kind) {
        return new Line(path, false, Dialect.BATON, kind);
    }

    /**
     * Returns the mutex's line at exactly this path.
     *
     * @throws IllegalArgumentException if {@link Names#checkPath} refuses the path
     */
    public static Line at(String path, Dialect dialect) {
        return at(path, dialect, Kind.MUTEX);
    }

    /**
     * Returns the line of this kind at exactly this path.
     *
     * @throws IllegalArgumentException if {@link Names#checkPath} refuses the path
     */
    public static Line at(String path, Dialect dialect, Kind kind) {
        return new Line(Names.checkPath(path), true, dialect, kind);
    }

    /**
     * Refuses a claim that contenders of this line cannot make.
     *
     * @throws IllegalArgumentException if the line's kind does not admit the claim
     */
    public void check(Claim claim) {
        if (!kind.admits(claim)) {
            throw new IllegalArgumentException(
                    "contenders of " + path + ", a line of kind " + kind + ", cannot claim " + claim.mode());
        }
    }

    @Override
    public String toString() {
        return path;
    }
}
