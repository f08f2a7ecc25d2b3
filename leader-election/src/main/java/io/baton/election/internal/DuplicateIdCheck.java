package io.baton.election.internal;

import io.baton.CoordinationException;
import io.baton.election.Candidate;
import io.baton.election.internal.line.CandidateEntry;
import io.baton.election.internal.line.CandidateList;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Futures;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.RepeatedRefusal;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Checks whether a candidate's id is unique among the entries ahead of it. If these cannot be read, repeats after growing
 * pauses, and reports that. On the loop.
 */
final class DuplicateIdCheck {

    /** The result. */
    interface Answer {
        /** No entry ahead has the id. */
        void unique();

        /** An earlier entry has the id and keeps it; it may be left from a former process of this candidate. */
        void duplicate(CoordinationException found);
    }

    private final ElectionLine line;
    private final Candidate candidate;
    private final RepeatedRefusal unread;
    private boolean known;

    /** On shared paths, ids are not checked. */
    DuplicateIdCheck(ElectionLine line, Candidate candidate) {
        this.line = line;
        this.candidate = candidate;
        this.unread = new RepeatedRefusal(
                () -> "It is not known whether another " + candidate + " stands in election '" + line.name() + "'",
                line::reportTrouble,
                line::resolveTrouble);
        this.known = line.exact();
    }

    boolean known() {
        return known;
    }

    /** Marks the id unique, because no entry is ahead. */
    void markUnique() {
        known = true;
        unread.resolved();
    }

    /** Checks no more. */
    void end() {
        unread.resolved();
    }

    /**
     * Checks the entries ahead of the one with this stand, unless the result is known.
     *
     * @param still whether the result is still of interest
     */
    void check(String stand, BooleanSupplier still, Answer to) {
        check(stand, still, to, 0);
    }

    private void check(String stand, BooleanSupplier still, Answer to, int failures) {
        if (known) {
            to.unique();
            return;
        }
        Futures.onDone(line.entries(), (entries, failure) -> {
            if (!still.getAsBoolean()) {
                unread.resolved();
                return;
            }
            if (failure != null) {
                if (line.inContact()) {
                    unread.refused(String.valueOf(Futures.cause(failure).getMessage()));
                }
                // Many candidates that start at once may be too much for the store.
                Duration pause = Pauses.afterRefusals(failures, line.loop().raw());
                line.loop().after(pause, () -> again(stand, still, to, failures + 1));
            } else {
                unread.resolved();
                compare(
                        new CandidateList(
                                entries.stream().map(CandidateEntry::of).toList()),
                        stand,
                        to);
            }
        });
    }

    private void again(String stand, BooleanSupplier still, Answer to, int failures) {
        if (still.getAsBoolean()) {
            check(stand, still, to, failures);
        } else {
            unread.resolved();
        }
    }

    private void compare(CandidateList candidates, String stand, Answer to) {
        if (!candidates.has(stand)) {
            return; // nothing is known to be ahead of it
        }
        Optional<CandidateEntry> other = candidates.namesakeAhead(candidate.id(), stand);
        if (other.isPresent()) {
            to.duplicate(found(other.get()));
        } else {
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
