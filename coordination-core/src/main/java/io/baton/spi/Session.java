package io.baton.spi;

import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One client's session: its liveness in the store, and the entries that depend on it. A lost session stays lost.
 *
 * <p><b>Lines.</b> A contender stands behind every contender whose join was committed before its own. The set ahead of
 * a contender only shrinks. It is clear once no entry ahead of it conflicts with its {@link Claim}.
 *
 * <p><b>Failures.</b> A stage fails with {@link io.baton.StoreUnavailableException} (nothing was applied),
 * {@link io.baton.OutcomeUnknownException} (a write may have been applied), {@link io.baton.SessionLostException}, or
 * another {@link io.baton.CoordinationException}. It always completes within a bounded time.
 *
 * <p><b>Threads.</b> Methods are called on the loop, and stages complete on it. Any thread may call {@link #link()},
 * {@link #trouble()}, {@link #proof()}, {@link #timeout()} and {@link #whyTimeoutRaised()}.
 */
public interface Session {

    /** Returns the store's name for this session, for logs. */
    String id();

    /** Returns the present contact. Any thread. */
    Link link();

    /** Returns why there is no contact, for people; empty if there is, or if it is not known. Any thread. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /**
     * Returns why the store neither grants in this line just now nor says that the line is taken, although there is
     * contact, for people: it grants nothing to anybody, or {@link #isFree(Line, Claim)} looks again as only entries of
     * the dead are in the way. Empty if nothing like that is known.
     */
    default Optional<String> whyNoGrants(Line line) {
        return Optional.empty();
    }

    /** Returns the best proof of liveness. Before its deadline the store drops no entry of this session. Any thread. */
    Proof proof();

    /** Returns the smallest session timeout granted so far; the requested one until one is granted. Any thread. */
    Duration timeout();

    /** Returns why {@link #timeout()} is longer than the requested ttl, for people; empty if it is not. Any thread. */
    default Optional<String> whyTimeoutRaised() {
        return Optional.empty();
    }

    /** Requests a better proof as soon as possible; {@link SessionListener#proven()} reports it. */
    void requestProof();

    /** {@link #join(Line, Claim, byte[], PlaceListener)} with an exclusive claim. */
    default Place join(Line line, byte[] payload, PlaceListener to) {
        return join(line, Claim.EXCLUSIVE, payload, to);
    }

    /**
     * Joins a line at its end.
     *
     * @param line one that {@link Store#check} accepts
     * @param claim what the contender claims
     * @param payload what others see in {@link #details}
     * @param to receives the contender's events, never from within this call
     * @throws IllegalArgumentException if the line does not admit the claim
     */
    Place join(Line line, Claim claim, byte[] payload, PlaceListener to);

    /** Returns whether the line is empty. One read; writes nothing. */
    default CompletionStage<Boolean> isFree(Line line) {
        return isFree(line, Claim.EXCLUSIVE);
    }

    /**
     * Returns whether a contender with this claim, at the end of the line, would be clear at once. One read, or two for
     * a shared claim; writes nothing. Where only entries of the dead stand in the way, or the store {@linkplain
     * #whyNoGrants grants nothing just now}, it may look again, for a ttl and a few seconds. If that is still so then,
     * it fails with {@link io.baton.StoreUnavailableException}.
     */
    CompletionStage<Boolean> isFree(Line line, Claim claim);

    /** Returns the contenders in the line, in order. One read. */
    CompletionStage<List<Peer>> peers(Line line);

    /** Returns one contender's entry; empty if it is gone. One read. */
    CompletionStage<Optional<Entry>> details(Peer peer);

    /** Returns a record's present value; empty if there is no such record. */
    CompletionStage<Optional<Item>> get(RecordKey key);

    /**
     * Returns a record's present value without its revision, for those who will not guard a write with it; empty if there
     * is no such record. A store may need fewer requests for this.
     */
    default CompletionStage<Optional<byte[]>> getValue(RecordKey key) {
        return get(key).thenApply(record -> record.map(Item::value));
    }

    /**
     * Follows all records of a tree until stopped or the session is lost.
     *
     * @return stops the observation when run; to be run on the loop
     */
    Runnable observe(String tree, TreeListener to);

    /**
     * Follows the first contender of a line until stopped or the session is lost. The cost of a change does not grow
     * with the length of the line.
     *
     * @param line one that {@link Store#check} accepts
     * @return stops the observation when run; to be run on the loop
     */
    Runnable observe(Line line, HeadListener to);

    /**
     * Follows all contenders of a line until stopped or the session is lost. The cost of a change grows with the length
     * of the line, so this is for lines that are short.
     *
     * @param line one that {@link Store#check} accepts
     * @param to receives the contenders in order, on the loop: the present ones, and again after each change. Changes
     *     in quick succession may be merged, and changes made while out of contact are
     * @return stops it when run; to be run on the loop
     */
    Runnable observePeers(Line line, Consumer<List<Peer>> to);

    /**
     * Asks the owner of an entry to release, as other programs of the line's dialect ask each other. For owners that
     * are not Baton's: Baton's are asked through records.
     *
     * @param within how long it may take, as in {@link #transact(List, List, List, Duration)}
     * @return completes once the store has the request, or at once where the dialect has none
     */
    default CompletionStage<Void> askToRelease(Peer owner, Duration within) {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Observes whether other programs of the line's dialect ask the owner of this entry to release. Does nothing where
     * the dialect has no such requests.
     *
     * @param asked runs on the loop at each request
     * @return stops it when run; to be run on the loop
     */
    default Runnable observeAskedToRelease(Peer own, Runnable asked) {
        return () -> {};
    }

    /** {@link #transact(List, List, List)} without entries to remove. */
    default CompletionStage<Boolean> transact(List<Condition> conditions, List<Op> ops) {
        return transact(conditions, ops, List.of());
    }

    /**
     * Applies all operations and removes all these entries, or changes nothing. It changes nothing if a condition does
     * not hold or one of the entries is already gone.
     *
     * <p>Contenders whose entries are removed receive {@code lost}, as after a removal by hand. Those of this session
     * receive it before the stage completes with true. None of them receives {@code clear} because entries ahead of it
     * are removed in the same call.
     *
     * @param removed entries of any lines and sessions; at least one if there is no operation
     * @param within how long it may take, at most {@link #timeout()}. Once that is over the stage has failed, and
     *     nothing more is sent that would apply it: not if it has waited for contact, and not again if it was sent and
     *     has no answer
     * @return true if committed; false if a condition does not hold or an entry is gone
     */
    CompletionStage<Boolean> transact(List<Condition> conditions, List<Op> ops, List<Peer> removed, Duration within);

    /** {@link #transact(List, List, List, Duration)} within the session's {@link #timeout()}. */
    default CompletionStage<Boolean> transact(List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        return transact(conditions, ops, removed, timeout());
    }

    /**
     * As {@link #transact(List, List, List, Duration)} without entries to remove; also says what was written, so that a
     * next write can be conditional without a read before it.
     *
     * @return the records that were put, as {@link #get} would return them right after this transaction, as far as the
     *     store says so; empty if a condition does not hold
     */
    default CompletionStage<Optional<List<Item>>> transactAndTell(
            List<Condition> conditions, List<Op> ops, Duration within) {
        return transact(conditions, ops, List.of(), within)
                .thenApply(applied -> applied ? Optional.of(List.of()) : Optional.empty());
    }

    /** Ends the session in the store. Places and the listener receive {@code lost}. Idempotent. */
    CompletionStage<Void> close();
}
