package io.baton.election.internal.line;

import io.baton.election.Candidate;
import io.baton.election.Leader;
import io.baton.recipe.TextLines;
import io.baton.spi.Entry;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The payload of a candidate's entry: lines of {@code key=value} in UTF-8, after the lines that describe the client. On
 * paths shared with other programs it is only the id, because they show all of it as the id.
 */
public final class CandidateText {

    static final String ID = "id";
    static final String STAND = "stand";
    static final String PRIORITY = "priority";
    private static final String ADDRESS = "address";
    private static final String META = "meta.";
    private static final int MAX_SHOWN = 1024;

    private CandidateText() {}

    /**
     * Returns the payload, after the client's description.
     *
     * @param stand distinguishes this entry from all others of the same candidate
     */
    public static byte[] encode(Candidate candidate, String stand, byte[] client) {
        var lines = new TextLines(client).add(ID, candidate.id()).add(STAND, stand);
        if (candidate.priority() != 0) {
            lines.add(PRIORITY, String.valueOf(candidate.priority()));
        }
        if (!candidate.address().isEmpty()) {
            lines.add(ADDRESS, candidate.address());
        }
        new TreeMap<>(candidate.metadata()).forEach((key, value) -> lines.add(META + key, value));
        return lines.bytes();
    }

    /** Returns the payload on a shared path. */
    public static byte[] encodeShared(Candidate candidate) {
        return candidate.id().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the candidate of this entry. */
    public static Leader decode(Entry entry) {
        Map<String, String> lines = TextLines.decode(entry.payload());
        Map<String, String> metadata = new TreeMap<>();
        lines.forEach((key, value) -> {
            if (key.startsWith(META)) {
                metadata.put(key.substring(META.length()), value);
            }
        });
        String id = lines.getOrDefault(ID, "");
        return new Leader(
                // Another program's, or one on a shared path: all of it is the id.
                id.isEmpty() ? TextLines.shown(entry.payload(), MAX_SHOWN) : id,
                lines.getOrDefault(ADDRESS, ""),
                metadata,
                entry.token(),
                (int) TextLines.number(lines.getOrDefault(PRIORITY, "0")));
    }
}
