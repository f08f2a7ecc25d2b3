package io.baton.config.internal.active;

import io.baton.config.internal.follow.StoreState;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The states to try when a binding does not fit the present one, best first: the newest without a canary, the cached
 * one, those of the history from the newest on, and the bundled one. The newest is tried for an independent binding, or
 * if a canary is in use. Each is computed only when it is needed.
 */
public final class EarlierStates {

    private final Supplier<StoreState> known;
    private final boolean answered;
    private final Optional<CandidateState> kept;
    private final Supplier<Iterator<CandidateState>> history;

    /**
     * Creates them for one configuration.
     *
     * @param known the store's state
     * @param answered whether the store has sent a snapshot
     * @param kept the cached state of an earlier process, if it may be used
     * @param history the states of the history, newest first; may block
     */
    public EarlierStates(
            Supplier<StoreState> known,
            boolean answered,
            Optional<CandidateState> kept,
            Supplier<Iterator<CandidateState>> history) {
        this.known = known;
        this.answered = answered;
        this.kept = kept;
        this.history = history;
    }

    /** Returns those to try instead of this one. */
    public Iterator<CandidateState> before(ActiveConfig refused, boolean independent) {
        boolean newest = answered && (independent || !refused.canary().isEmpty());
        return new InTurn(
                refused,
                List.<Supplier<Iterator<CandidateState>>>of(
                                () -> Stream.of(CandidateState.live(known.get()))
                                        .filter(state -> newest)
                                        .iterator(),
                                () -> kept
                                        .filter(state ->
                                                !answered || state.canary().isEmpty())
                                        .stream()
                                        .iterator(),
                                answered ? history : List.<CandidateState>of()::iterator,
                                () -> List.of(CandidateState.bundled()).iterator())
                        .iterator());
    }

    /** Iterates over each in turn, except states with the refused values. */
    private static final class InTurn implements Iterator<CandidateState> {

        private final ActiveConfig refused;
        private final Iterator<Supplier<Iterator<CandidateState>>> rest;
        private Iterator<CandidateState> present = List.<CandidateState>of().iterator();
        private Optional<CandidateState> next = Optional.empty();

        InTurn(ActiveConfig refused, Iterator<Supplier<Iterator<CandidateState>>> all) {
            this.refused = refused;
            this.rest = all;
        }

        @Override
        public boolean hasNext() {
            while (next.isEmpty() && (present.hasNext() || rest.hasNext())) {
                if (present.hasNext()) {
                    next = Optional.of(present.next())
                            .filter(state -> !state.values().equals(refused.values()));
                } else {
                    present = rest.next().get();
                }
            }
            return next.isPresent();
        }

        @Override
        public CandidateState next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            CandidateState state = next.orElseThrow();
            next = Optional.empty();
            return state;
        }
    }
}
