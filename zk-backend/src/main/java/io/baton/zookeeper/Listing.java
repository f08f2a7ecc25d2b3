package io.baton.zookeeper;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An answered listing of a line, shared by all its takers, and parsed once per naming. */
final class Listing {

    /** A parsed listing, or why it cannot be parsed. */
    private record Reading(
            @Nullable LineListing lineup, @Nullable ForeignEntryException foreign) {

        static Reading of(Naming naming, List<String> names) {
            try {
                return new Reading(LineListing.of(naming, names), null);
            } catch (ForeignEntryException foreign) {
                return new Reading(null, foreign);
            }
        }
    }

    private final List<String> names;
    private final @Nullable Following following;
    private final long stream;
    private final Map<Naming, Reading> readings = new EnumMap<>(Naming.class);
    private @Nullable Set<String> index;

    /** {@code stream} was open when the listing was sent, if the line was followed. */
    Listing(List<String> names, @Nullable Following following, long stream) {
        this.names = names;
        this.following = following;
        this.stream = stream;
    }

    /** Returns all children of the line. */
    Set<String> names() {
        Set<String> made = index;
        if (made == null) {
            made = new HashSet<>(names);
            index = made;
        }
        return made;
    }

    /**
     * Returns the line's contenders, parsed by this naming.
     *
     * @throws ForeignEntryException if an entry cannot be ordered with Baton's
     */
    LineListing ordered(Naming naming) throws ForeignEntryException {
        Reading reading = readings.computeIfAbsent(naming, first -> Reading.of(first, names));
        if (reading.lineup() != null) {
            return reading.lineup();
        }
        throw reading.foreign();
    }

    /** Returns the number of the stream that covers all events since the listing was sent, if this is its following. */
    long stream(Following same) {
        return same == following ? stream : Following.NONE;
    }
}
