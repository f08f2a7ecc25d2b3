package io.baton.config.internal.active;

import io.baton.config.internal.follow.StoreState;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The states to be tried when something cannot be bound in the present one, the best first: the newest, if it is independent, or
 * without the canary, then as kept in the cache, as the history has them from the newest on, and what the service brings along. Each
 * is looked for only if it comes to it.
 */
public final class EarlierStates {

    private final Supplier<StoreState> known;
    private final boolean answered;
    private final Optional<CandidateState> kept;
    private final Supplier<Iterator<CandidateState>> history;

    /**
     * Of one configuration.
     *
     * @param known what the store has told
     * @param answered whether it has told anything
     * @param kept what an earlier process has left, if that may be used
     * @param history the states that the history has, the newest first; may take its time
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

    /** Those to be tried instead of this one. */
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

    /** All of the first, then all of the next, but for the one that was refused. */
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
