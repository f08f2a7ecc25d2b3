package io.baton.election.internal;

import io.baton.CoordinationException;
import io.baton.election.Candidate;
import io.baton.election.internal.line.CandidateEntry;
import io.baton.election.internal.line.CandidateList;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Futures;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Whether a candidate is the only one of its id, as far as those ahead of it are concerned; looked up until it is known.
 * On the loop.
 */
final class DuplicateIdCheck {

    /** What has been found. */
    interface Answer {
        /** Nobody ahead bears the id. */
        void unique();

        /** Somebody does, who came before and keeps it; it may be what a former process of this candidate has left. */
        void duplicate(CoordinationException found);
    }

    private final ElectionLine line;
    private final Candidate candidate;
    private boolean known;

    /** On paths that are shared, ids are not looked at. */
    DuplicateIdCheck(ElectionLine line, Candidate candidate) {
        this.line = line;
        this.candidate = candidate;
        this.known = line.exact();
    }

    boolean known() {
        return known;
    }

    /** It stands first: there is nobody ahead. */
    void markUnique() {
        known = true;
    }

    /**
     * Looks at those ahead of the entry with this stand, unless it is known.
     *
     * @param still whether that is still of interest
     */
    void check(String stand, BooleanSupplier still, Answer to) {
        if (known) {
            to.unique();
            return;
        }
        Futures.onDone(line.entries(), (entries, failure) -> {
            if (failure == null && still.getAsBoolean()) {
                compare(
                        new CandidateList(
                                entries.stream().map(CandidateEntry::of).toList()),
                        stand,
                        to);
            }
        });
    }

    private void compare(CandidateList candidates, String stand, Answer to) {
        Optional<CandidateEntry> other = candidates.namesakeAhead(candidate.id(), stand);
        if (other.isPresent()) {
            to.duplicate(found(other.get()));
        } else if (candidates.has(stand)) {
            known = true;
            to.unique();
        }
    }

    private CoordinationException found(CandidateEntry other) {
        String message = "another " + candidate + " stands in election '" + line.name() + "' (" + other.from()
                + "); each candidate needs an id of its own. This one stands aside and tries again";
        return new CoordinationException(message);
    }
}
