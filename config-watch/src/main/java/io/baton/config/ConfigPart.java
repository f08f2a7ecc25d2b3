package io.baton.config;

/**
 * A part of a change that took several transactions, because it did not fit into one: see {@link ConfigEdit#inParts}.
 *
 * @param of the id that all parts of the change bear
 * @param number the number of this part, from 1 on; keys are in order over the parts
 * @param total the number of parts
 */
public record ConfigPart(String of, int number, int total) {

    /** Returns whether this part completes the change. */
    public boolean last() {
        return number >= total;
    }
}
