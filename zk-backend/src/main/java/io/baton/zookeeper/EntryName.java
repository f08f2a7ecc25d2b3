package io.baton.zookeeper;

import io.baton.CoordinationException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The node name of a contender, as Curator's mutex writes and reads it: {@code _c_<id>-lock-0000000007}.
 *
 * @param name the whole name
 * @param sequence the number that the server gave
 */
record EntryName(String name, int sequence) {

    /** In line order, first first. */
    static final Comparator<EntryName> LINE_ORDER = Comparator.comparingInt(EntryName::sequence);

    /** From here on the server's counter is too near its end, where it repeats a number, to be relied upon. */
    private static final long LAST_SAFE = (1L << 31) - (1L << 24);

    private static final int DIGITS = 10;
    private static final String MARK = "_c_";
    private static final String KIND = "lock-";
    private static final String MARKED_KIND = "-" + KIND;
    private static final int MARKED_LENGTH = prefix(new UUID(0, 0).toString()).length();

    /** What the server is asked to append its number to. */
    static String prefix(String id) {
        return MARK + id + MARKED_KIND;
    }

    /**
     * The contenders among these names, in line order; names without a number are nobody's.
     *
     * @throws ForeignEntryException if one is of a kind that would not respect ours
     */
    static List<EntryName> line(List<String> names) throws ForeignEntryException {
        var line = new ArrayList<EntryName>(names.size());
        for (String name : names) {
            EntryName entry = parse(name);
            if (entry != null) {
                line.add(entry);
            }
        }
        line.sort(LINE_ORDER);
        return line;
    }

    /** Each listing goes through here for each contender, so without regular expressions. */
    private static @Nullable EntryName parse(String name) throws ForeignEntryException {
        int digits = trailingDigits(name);
        int split = name.length() - DIGITS;
        boolean negative = digits >= DIGITS - 1 && name.startsWith("--", name.length() - digits - 2);
        if (negative || (digits >= DIGITS && Long.parseLong(name, split, name.length(), 10) >= LAST_SAFE)) {
            throw new ForeignEntryException("the sequence numbers of this line are used up at '" + name
                    + "': order is no longer certain; use another name, or delete the line while nobody uses it");
        }
        if (digits < DIGITS) {
            return null;
        }
        if (!ours(name, split)) {
            throw new ForeignEntryException(
                    "the entry '" + name + "' belongs to another kind of lock, which neither sees"
                            + " nor respects ours; use another name, or end those clients first");
        }
        return new EntryName(name, Integer.parseInt(name, split, name.length(), 10));
    }

    private static int trailingDigits(String name) {
        int digits = 0;
        while (digits < name.length() && isDigit(name.charAt(name.length() - 1 - digits))) {
            digits++;
        }
        return digits;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Whether the name up to here is {@code lock-}, as of clients that mark nothing, or {@code _c_<uuid>-lock-}. */
    private static boolean ours(String name, int end) {
        boolean plain = end == KIND.length() && name.startsWith(KIND);
        return plain
                || (end == MARKED_LENGTH
                        && name.startsWith(MARK)
                        && name.startsWith(MARKED_KIND, end - MARKED_KIND.length()));
    }

    /** A line holds an entry that cannot be put in order with ours. */
    static final class ForeignEntryException extends Exception {

        private static final long serialVersionUID = 1L;

        private final String explanation;

        ForeignEntryException(String explanation) {
            super(explanation);
            this.explanation = explanation;
        }

        /** The same, as what the caller of a lock is told. */
        CoordinationException told(String attempt) {
            return new CoordinationException(attempt + ": " + explanation, this);
        }
    }
}
