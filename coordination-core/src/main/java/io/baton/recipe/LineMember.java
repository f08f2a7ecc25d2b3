package io.baton.recipe;

import io.baton.spi.Entry;

/**
 * An entry of a line.
 *
 * @param entry the entry; recipes that know no store only pass it on
 */
public record LineMember(Entry entry) {

    /** Returns what the member published; not to be modified. */
    public byte[] payload() {
        return entry.payload();
    }

    /** Returns its fencing token, which is larger than those of the entries that joined the line before it. */
    public long token() {
        return entry.token();
    }
}
