package io.baton.zookeeper;

import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Who stands in a line, by one listing.
 *
 * @param entries the contenders, in line order if {@code numbered}, else in none
 * @param numbered whether the sequence numbers tell the order; if not, only the transaction does that made each entry
 */
record LineListing(List<EntryName> entries, boolean numbered) {

    /** A line in which nobody stands. */
    static final LineListing NOBODY = new LineListing(List.of(), true);

    /**
     * Reads a listing.
     *
     * @throws ForeignEntryException if somebody stands there who cannot be put in order with us
     */
    static LineListing of(Naming naming, Collection<String> names) throws ForeignEntryException {
        List<EntryName> entries = naming.entries(names);
        for (EntryName entry : entries) {
            if (!entry.numbered()) {
                refuseOthers(entries);
                return new LineListing(entries, false);
            }
        }
        entries.sort(EntryName.LINE_ORDER);
        return new LineListing(entries, true);
    }

    /** Those ahead of this one, the nearest last, as a view; for a line that is numbered. */
    List<String> ahead(EntryName mine) {
        int size = numberAhead(mine);
        return new AbstractList<>() {
            @Override
            public String get(int index) {
                return entries.get(Objects.checkIndex(index, size)).name();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    private int numberAhead(EntryName mine) {
        int from = 0;
        int to = entries.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (entries.get(middle).sequence() < mine.sequence()) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private static void refuseOthers(List<EntryName> entries) throws ForeignEntryException {
        for (EntryName entry : entries) {
            if (!entry.ours()) {
                throw new ForeignEntryException(
                        "the sequence numbers of this line are used up, and the program that made '" + entry.name()
                                + "' goes by them; use another name, or delete the line while nobody uses it");
            }
        }
    }
}
