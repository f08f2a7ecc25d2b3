package io.baton.spi;

/**
 * What a contender claims of its line. It is granted once no entry ahead {@linkplain #conflictsWith conflicts}. As the
 * set of entries ahead only shrinks, so does the set of those that conflict.
 *
 * @param mode whom the contender keeps out, and who keeps it out
 * @param permits the number of permits; 0 unless the mode is {@link Mode#PERMITS}
 */
public record Claim(Mode mode, int permits) {

    /** The kinds of claims. */
    public enum Mode {
        /** Waits for all entries ahead. */
        EXCLUSIVE,
        /** Waits for exclusive entries ahead, but not for one that was {@linkplain Place#downgrade downgraded}. */
        SHARED,
        /** Waits for none. Who reads the line counts the permits. */
        PERMITS
    }

    /** Waits for all entries ahead. */
    public static final Claim EXCLUSIVE = new Claim(Mode.EXCLUSIVE, 0);

    /** Waits for the exclusive entries ahead. */
    public static final Claim SHARED = new Claim(Mode.SHARED, 0);

    /**
     * Creates a claim.
     *
     * @throws IllegalArgumentException if permits are less than 1, or are given for another mode
     */
    public Claim {
        if (mode == Mode.PERMITS ? permits < 1 : permits != 0) {
            throw new IllegalArgumentException("a claim of " + mode + " cannot have " + permits + " permits");
        }
    }

    /** Returns the claim of this number of permits. */
    public static Claim permits(int permits) {
        return new Claim(Mode.PERMITS, permits);
    }

    /** Whether a contender with this claim waits for an entry ahead that has the other claim. */
    public boolean conflictsWith(Claim ahead) {
        return switch (mode) {
            case EXCLUSIVE -> true;
            case SHARED -> ahead.mode == Mode.EXCLUSIVE;
            case PERMITS -> false;
        };
    }
}
