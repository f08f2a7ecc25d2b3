package io.baton.spi;

import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One client's liveness in the store, and what hangs on it. One incarnation: once lost, always lost.
 *
 * <p><b>Lines.</b> Whoever joins a line stands behind everybody whose join was committed before. The set ahead of a
 * contender only shrinks.
 *
 * <p><b>Failures.</b> A stage fails with {@link io.baton.StoreUnavailableException} (nothing was applied),
 * {@link io.baton.OutcomeUnknownException} (a write may have been applied), {@link io.baton.SessionLostException}, or
 * another {@link io.baton.CoordinationException}; it always completes within a bounded time.
 *
 * <p><b>Threads.</b> Called on the loop and answering on it, except {@link #link()}, {@link #trouble()}, {@link
 * #proof()}, {@link #timeout()} and {@link #whyTimeoutRaised()}, which any thread may read.
 */
public interface Session {

    /** The store's name for this session, for logs. */
    String id();

    /** Present contact. Any thread. */
    Link link();

    /** Why there is no contact, for people; empty if there is, or if it is not known. Any thread. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /** The best proof of liveness so far; before its deadline the store drops no entry of ours. Any thread. */
    Proof proof();

    /** The smallest session timeout that the server has granted this session; as asked for before it has. Any thread. */
    Duration timeout();

    /** Why {@link #timeout()} is longer than the ttl that was asked for, for people; empty if it is not. Any thread. */
    default Optional<String> whyTimeoutRaised() {
        return Optional.empty();
    }

    /** Asks for a better proof as soon as one can be had; {@link SessionListener#proven()} tells. */
    void requestProof();

    /**
     * Joins a line at its end.
     *
     * @param line which; one that {@link Store#check} accepts
     * @param payload what others see in {@link #details}
     * @param to told where the contender stands, never from within this call
     */
    Place join(Line line, byte[] payload, PlaceListener to);

    /** Whether nobody stands in the line. One read; writes nothing. */
    CompletionStage<Boolean> isFree(Line line);

    /** Who stands in the line, first first. One read. */
    CompletionStage<List<Peer>> peers(Line line);

    /** One contender's entry, empty if it has gone. One read. */
    CompletionStage<Optional<Entry>> details(Peer peer);

    /** A record's present value. */
    CompletionStage<Optional<Item>> get(RecordKey key);

    /**
     * Follows all records of a tree until closed or the session is lost.
     *
     * @return stops the observation when run, on the loop
     */
    Runnable observe(String tree, TreeListener to);

    /**
     * Follows who stands first in a line, until closed or the session is lost. What a change of it costs does not grow
     * with the length of the line.
     *
     * @param line which; one that {@link Store#check} accepts
     * @return stops the observation when run, on the loop
     */
    Runnable observe(Line line, HeadListener to);

    /** {@link #transact(List, List, List)} without entries to remove. */
    default CompletionStage<Boolean> transact(List<Condition> conditions, List<Op> ops) {
        return transact(conditions, ops, List.of());
    }

    /**
     * Applies all operations and removes all these entries, or does nothing: if a condition does not hold, or one of the
     * entries has gone before.
     *
     * <p>Contenders whose entries are removed are told {@code lost}, as if somebody had removed them by hand; those of
     * this session before the stage completes with true. None of them is told {@code clear} because others that stood
     * ahead are removed with it.
     *
     * @param removed entries of any lines and sessions; at least one, if there is no operation
     * @return true if committed, false if a condition, or an entry that has gone, refused it
     */
    CompletionStage<Boolean> transact(List<Condition> conditions, List<Op> ops, List<Peer> removed);

    /** Ends the session in the store; places and the listener are told {@code lost}. Idempotent. */
    CompletionStage<Void> close();
}
