package io.baton.election;

import io.baton.election.internal.line.CandidateText;
import io.baton.spi.Entry;
import java.util.Map;

/**
 * The leader of an election, as read from the store.
 *
 * @param id the candidate's id; for other programs' candidates, the value that they store
 * @param address where clients reach it; empty if it does not say
 * @param metadata what else it says
 * @param term the term: larger than every earlier leader's of this election
 * @param priority the candidate's priority; 0 if it does not say
 */
public record Leader(String id, String address, Map<String, String> metadata, long term, int priority) {

    /** Copies the metadata. */
    public Leader {
        metadata = Map.copyOf(metadata);
    }

    /** The candidate of this entry, as the leader that it is when it stands first. */
    public static Leader of(Entry entry) {
        return CandidateText.decode(entry);
    }
}
