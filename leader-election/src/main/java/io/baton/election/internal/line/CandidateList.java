package io.baton.election.internal.line;

import io.baton.election.HandOverException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The line of an election as read by a leader, and the lookup of ids in it. A pure function of what was read.
 *
 * @param all in the order of the line
 */
public record CandidateList(List<CandidateEntry> all) {

    /**
     * Returns the candidate that the leader may hand over to.
     *
     * @param leader the name of the leader's entry
     * @throws HandOverException if there is none; the message says why
     */
    public CandidateEntry target(String leader, String id) {
        List<CandidateEntry> meant =
                all.stream().filter(each -> each.id().equals(id)).toList();
        if (meant.isEmpty()) {
            throw new HandOverException("no candidate '" + id + "' stands in the election; these do: " + ids());
        }
        if (meant.size() > 1) {
            throw new HandOverException("several candidates call themselves '" + id + "': "
                    + meant.stream().map(CandidateEntry::from).collect(Collectors.joining("; "))
                    + "; each needs an id of its own");
        }
        CandidateEntry target = meant.get(0);
        int from = position(leader);
        int to = all.indexOf(target);
        if (from != 0) {
            throw new HandOverException("this leader's entry does not stand first any more");
        }
        for (CandidateEntry passed : all.subList(1, to + 1)) {
            if (!passed.known()) {
                throw new HandOverException(
                        "another program's entry, " + passed.peer().name() + ", stands before '" + id
                                + "', and it may not come back if it is removed");
            }
        }
        return target;
    }

    /** Returns whether the entry with this stand is among them. */
    public boolean has(String stand) {
        return all.stream().anyMatch(each -> each.stand().equals(stand));
    }

    /** Returns the first entry with this id ahead of the entry with this stand. */
    public Optional<CandidateEntry> namesakeAhead(String id, String stand) {
        return all.stream()
                .takeWhile(each -> !each.stand().equals(stand))
                .filter(each -> each.id().equals(id))
                .findFirst();
    }

    private int position(String entry) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).peer().name().equals(entry)) {
                return i;
            }
        }
        return -1;
    }

    private String ids() {
        return all.stream()
                .map(each -> each.known()
                        ? "'" + each.id() + "'"
                        : "another program's " + each.peer().name())
                .collect(Collectors.joining(", "));
    }
}
