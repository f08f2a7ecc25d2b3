package io.baton.config;

/**
 * Which part of a change it is that took several transactions, because it did not fit into one: see {@link ConfigEdit#inParts}.
 *
 * @param of the id that all parts of the change bear
 * @param number which of them, from 1 on; their keys are in order
 * @param total how many there are to be
 */
public record ConfigPart(String of, int number, int total) {

    /** Whether the change is complete with it. */
    public boolean last() {
        return number >= total;
    }
}
