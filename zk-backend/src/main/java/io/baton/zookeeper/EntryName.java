package io.baton.zookeeper;

import io.baton.CoordinationException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The node name of a contender, as Curator's mutex writes and reads it: {@code _c_<id>-lock-0000000007}.
 *
 * @param name the whole name
 * @param sequence the number that the server gave
 */
record EntryName(String name, int sequence) {

    /** In line order, first first. */
    static final Comparator<EntryName> LINE_ORDER = Comparator.comparingInt(EntryName::sequence);

    private static final Pattern SEQUENTIAL = Pattern.compile("(.*?)(\\d{10})");
    private static final Pattern RUN_OVER = Pattern.compile(".*-(-\\d{9,10})");
    /** From here on the server's counter is too near its end, where it repeats a number, to be relied upon. */
    private static final long LAST_SAFE = (1L << 31) - (1L << 24);

    private static final Pattern OURS = Pattern.compile("(_c_[0-9a-fA-F-]{36}-)?lock-");

    /** What the server is asked to append its number to. */
    static String prefix(String id) {
        return "_c_" + id + "-lock-";
    }

    /**
     * The contenders among these names, in line order; names without a number are nobody's.
     *
     * @throws ForeignEntryException if one is of a kind that would not respect ours
     */
    static List<EntryName> line(List<String> names) throws ForeignEntryException {
        var line = new ArrayList<EntryName>(names.size());
        for (String name : names) {
            Optional<EntryName> entry = parse(name);
            entry.ifPresent(line::add);
        }
        line.sort(LINE_ORDER);
        return line;
    }

    private static Optional<EntryName> parse(String name) throws ForeignEntryException {
        Matcher matcher = SEQUENTIAL.matcher(name);
        boolean sequential = matcher.matches();
        if (RUN_OVER.matcher(name).matches() || (sequential && Long.parseLong(matcher.group(2)) >= LAST_SAFE)) {
            throw new ForeignEntryException("the sequence numbers of this line are used up at '" + name
                    + "': order is no longer certain; use another name, or delete the line while nobody uses it");
        }
        if (!sequential) {
            return Optional.empty();
        }
        if (!OURS.matcher(matcher.group(1)).matches()) {
            throw new ForeignEntryException(
                    "the entry '" + name + "' belongs to another kind of lock, which neither sees"
                            + " nor respects ours; use another name, or end those clients first");
        }
        return Optional.of(new EntryName(name, Integer.parseInt(matcher.group(2))));
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
