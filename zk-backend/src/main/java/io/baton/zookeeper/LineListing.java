package io.baton.zookeeper;

import io.baton.spi.Claim;
import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The contenders of a line, from one listing.
 *
 * @param entries the contenders, in line order if {@code numbered}, otherwise unordered
 * @param numbered whether the sequence numbers give the order; otherwise only the czxids do
 */
record LineListing(List<EntryName> entries, boolean numbered) {

    /** A line without contenders. */
    static final LineListing NOBODY = new LineListing(List.of(), true);

    /**
     * Parses a listing.
     *
     * @throws ForeignEntryException if an entry cannot be ordered with Baton's
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

    /**
     * Returns the entries ahead of this one that conflict with its claim, the nearest last. Only for a line that is
     * numbered.
     */
    List<String> ahead(EntryName mine) {
        int size = numberAhead(mine);
        return mine.claim().equals(Claim.EXCLUSIVE) ? view(size) : conflicting(entries.subList(0, size), mine.claim());
    }

    private static List<String> conflicting(List<EntryName> ahead, Claim claim) {
        return ahead.stream()
                .filter(entry -> claim.conflictsWith(entry.claim()))
                .map(EntryName::name)
                .toList();
    }

    private List<String> view(int size) {
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
