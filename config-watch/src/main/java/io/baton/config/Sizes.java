package io.baton.config;

import io.baton.Guard;
import io.baton.Op;
import io.baton.spi.Guarantees;
import java.util.List;
import java.util.function.Supplier;

/** What fits into one transaction. */
final class Sizes {

    private Sizes() {}

    /**
     * Refuses what does not.
     *
     * @param keys how many keys it changes
     * @param tree of the values
     * @param largest what takes most, for people
     * @throws ConfigException with the numbers
     */
    static void check(
            List<Guard> guards, List<Op> ops, Guarantees limits, int keys, String tree, Supplier<String> largest) {
        int size = guards.size() + ops.size();
        if (size > limits.maxOps()) {
            throw new ConfigException("a change of " + keys + " keys of " + tree + " takes " + size
                    + " guards and operations; this store takes " + limits.maxOps()
                    + " in one transaction; write them in several changes, or as one document");
        }
        long bytes = ops.stream()
                .mapToLong(op -> op instanceof Op.Put put ? put.value().length : 0)
                .sum();
        if (bytes > limits.maxBytes()) {
            throw new ConfigException(
                    "the change is too large: with its place in the history, which keeps each text as it"
                            + " was before and is after, it takes " + bytes + " bytes, and this store takes "
                            + limits.maxBytes() + "; " + largest.get());
        }
    }
}
