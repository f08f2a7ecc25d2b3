package io.baton.election.internal.line;

import io.baton.election.Candidate;
import io.baton.election.Leader;
import io.baton.spi.Entry;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a candidate's entry says: lines of {@code key=value} in UTF-8, behind those by which any client describes itself.
 * On paths that are shared with other programs it is the id and nothing else, as they show the whole of it as one.
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
     * The payload, with what the client says of itself in front.
     *
     * @param stand tells this entry from every other one of the same candidate
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

    /** The payload on a path that is shared. */
    public static byte[] encodeShared(Candidate candidate) {
        return candidate.id().getBytes(StandardCharsets.UTF_8);
    }

    /** The candidate of this entry. */
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
                // Another program's, or one on a shared path: the whole is its id.
                id.isEmpty() ? TextLines.shown(entry.payload(), MAX_SHOWN) : id,
                lines.getOrDefault(ADDRESS, ""),
                metadata,
                entry.token(),
                (int) TextLines.number(lines.getOrDefault(PRIORITY, "0")));
    }
}
