package io.baton.zookeeper;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An answered listing of a line, which serves all who asked for it: it is read once, however many they are. */
final class Listing {

    /** A line-up, or why there is none. */
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

    /** These stand there; {@code stream} was open, if the line was followed, when the listing was sent. */
    Listing(List<String> names, @Nullable Following following, long stream) {
        this.names = names;
        this.following = following;
        this.stream = stream;
    }

    /** All children of the line. */
    Set<String> names() {
        Set<String> made = index;
        if (made == null) {
            made = new HashSet<>(names);
            index = made;
        }
        return made;
    }

    /**
     * Who stands there, by this naming.
     *
     * @throws ForeignEntryException if somebody stands there who cannot be put in order with us
     */
    LineListing ordered(Naming naming) throws ForeignEntryException {
        Reading reading = readings.computeIfAbsent(naming, first -> Reading.of(first, names));
        if (reading.lineup() != null) {
            return reading.lineup();
        }
        throw reading.foreign();
    }

    /** The number of the stream that tells of everything since the listing was sent; of this way to follow the line. */
    long stream(Following same) {
        return same == following ? stream : Following.NONE;
    }
}
