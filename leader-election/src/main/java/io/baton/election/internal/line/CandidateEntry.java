package io.baton.election.internal.line;

import io.baton.recipe.TextLines;
import io.baton.spi.Entry;
import io.baton.spi.Peer;
import java.util.Map;

/**
 * An entry in the line of an election, as others see it.
 *
 * @param peer the entry
 * @param id the candidate's id; empty if it is another program's, or damaged
 * @param stand distinguishes this entry from all others of the same candidate
 * @param priority the candidate's priority
 * @param from the candidate's process, for people
 */
public record CandidateEntry(Peer peer, String id, String stand, int priority, String from) {

    public static CandidateEntry of(Entry entry) {
        Map<String, String> lines = TextLines.decode(entry.payload());
        return new CandidateEntry(
                entry.peer(),
                lines.getOrDefault(CandidateText.ID, ""),
                lines.getOrDefault(CandidateText.STAND, ""),
                (int) TextLines.number(lines.getOrDefault(CandidateText.PRIORITY, "0")),
                "host " + lines.getOrDefault("host", "unknown") + ", pid " + lines.getOrDefault("pid", "unknown"));
    }

    /** Returns whether it is a candidate that can agree to hand-overs. */
    public boolean known() {
        return !id.isEmpty() && !stand.isEmpty();
    }
}
