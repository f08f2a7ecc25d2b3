package io.baton.election.internal.handover;

import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.election.LeaderElection;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.line.PauseRecord;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The one record of an election for its hand-overs. Every write is conditional on the record as read, so no unseen
 * change is overwritten. On the loop.
 */
public final class HandOverRecord {

    private static final int MAX_TRIES = 3;

    private final ElectionLine line;
    private final RecordKey key;
    private final PauseRecord pauses;

    /**
     * The record as it was read.
     *
     * @param item empty if there is none
     */
    public record Seen(Optional<Item> item) {

        /** Returns the note; empty if there is none, or it cannot be parsed. */
        Optional<HandOverNote> note() {
            return item.flatMap(present -> HandOverNote.decode(present.value()));
        }

        /** Returns whether the record was not written in between. */
        boolean same(Seen other) {
            return item.map(Item::revision).equals(other.item.map(Item::revision));
        }
    }

    public HandOverRecord(ElectionLine line) {
        this.line = line;
        this.key = new RecordKey(LeaderElection.HAND_OVERS, line.name());
        this.pauses = new PauseRecord(line);
    }

    public ElectionLine line() {
        return line;
    }

    /** Returns the record of pauses. */
    PauseRecord pauses() {
        return pauses;
    }

    ClientLoop loop() {
        return line.loop();
    }

    /** Returns the time by this machine's wall clock. */
    Instant now() {
        return Instant.ofEpochMilli(loop().wallMillis());
    }

    /** Returns a number that is unique among hand-overs. */
    String number() {
        return Long.toHexString(loop().randomLong()) + Long.toHexString(loop().randomLong());
    }

    /** Observes the record. Any thread; {@code to} runs on the loop. */
    Subscription observe(Consumer<Seen> to) {
        return line.observe(key, item -> to.accept(new Seen(item)));
    }

    public CompletableFuture<Seen> read() {
        return line.read(key).thenApply(Seen::new);
    }

    /** Returns the conditions that all of these stand. */
    static List<Condition> standing(List<Peer> peers) {
        return peers.stream().<Condition>map(Condition.Stands::new).toList();
    }

    /** Returns the condition that the record is as it was seen. */
    Condition unchanged(Seen seen) {
        return seen.item().isPresent()
                ? new Condition.Unchanged(key, seen.item().get().revision())
                : new Condition.Absent(key);
    }

    /** Writes an offer, if the record is as it was seen, this leader stands, and the election is not paused. */
    public CompletableFuture<Boolean> offer(Seen seen, HandOverNote offer, Peer leader) {
        List<Condition> conditions = List.of(new Condition.Stands(leader), pauses.absent(), unchanged(seen));
        return line.transact(conditions, List.of(Op.put(key, offer.encode())), List.of());
    }

    /** Writes if the record is as it was seen, and these stand; returns false if not. */
    CompletableFuture<Boolean> write(Seen seen, HandOverNote next, List<Peer> standing) {
        return write(seen, next, standing, List.of());
    }

    /** {@link #write(Seen, HandOverNote, List)} that also removes these in the same transaction. */
    CompletableFuture<Boolean> write(Seen seen, HandOverNote next, List<Peer> standing, List<Peer> removed) {
        var conditions = new ArrayList<>(standing(standing));
        conditions.add(unchanged(seen));
        return line.transact(conditions, List.of(Op.put(key, next.encode())), removed);
    }

    /**
     * Writes that this hand-over has failed, if its progress is one of these.
     *
     * @return its note after that; empty if there is none, or another hand-over has replaced it. Fails if the store
     *     does not say so: then it may have been carried out, and may still be.
     */
    CompletableFuture<Optional<HandOverNote>> abort(String number, Set<HandOverNote.Kind> only, String why) {
        var settled = new CompletableFuture<Optional<HandOverNote>>();
        abort(number, only, why, MAX_TRIES, settled);
        return settled;
    }

    private void abort(
            String number,
            Set<HandOverNote.Kind> only,
            String why,
            int tries,
            CompletableFuture<Optional<HandOverNote>> settled) {
        Futures.onDone(read(), (seen, unread) -> {
            if (unread != null) {
                settled.completeExceptionally(unread);
                return;
            }
            Optional<HandOverNote> note =
                    seen.note().filter(present -> present.number().equals(number));
            if (note.isEmpty() || !only.contains(note.get().kind())) {
                settled.complete(note);
                return;
            }
            HandOverNote failed = note.get().failed(why);
            Futures.onDone(write(seen, failed, List.of()), (written, unwritten) -> {
                if (unwritten == null && written) {
                    settled.complete(Optional.of(failed));
                } else if (tries > 1) {
                    abort(number, only, why, tries - 1, settled);
                } else {
                    settled.completeExceptionally(
                            unwritten != null
                                    ? unwritten
                                    : new OutcomeUnknownException("the record changes too often"));
                }
            });
        });
    }
}
