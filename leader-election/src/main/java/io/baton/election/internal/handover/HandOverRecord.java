package io.baton.election.internal.handover;

import io.baton.Item;
import io.baton.Op;
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
 * The one record of an election in which its hand-overs are agreed. Every change is a comparison with what was read, so
 * that nobody writes over what he has not seen. On the loop.
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

        /** Empty if there is none, or none that can be understood. */
        Optional<HandOverNote> note() {
            return item.flatMap(present -> HandOverNote.decode(present.value()));
        }

        /** Whether nothing has been written in between. */
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

    /** Whether the election is paused, in a record of its own. */
    PauseRecord pauses() {
        return pauses;
    }

    ClientLoop loop() {
        return line.loop();
    }

    /** By this machine's wall clock. */
    Instant now() {
        return Instant.ofEpochMilli(loop().wallMillis());
    }

    /** A number that no other hand-over has. */
    String number() {
        return Long.toHexString(loop().randomLong()) + Long.toHexString(loop().randomLong());
    }

    /** Any thread; told on the loop. */
    Subscription observe(Consumer<Seen> to) {
        return line.observe(key, item -> to.accept(new Seen(item)));
    }

    public CompletableFuture<Seen> read() {
        return line.read(key).thenApply(Seen::new);
    }

    /** That all of these stand. */
    static List<Condition> standing(List<Peer> peers) {
        return peers.stream().<Condition>map(Condition.Stands::new).toList();
    }

    /** That the record is as it was seen. */
    Condition unchanged(Seen seen) {
        return seen.item().isPresent()
                ? new Condition.Unchanged(key, seen.item().get().revision())
                : new Condition.Absent(key);
    }

    /** Writes what begins a hand-over, if the record is as it was seen, this leader stands, and nothing is paused. */
    public CompletableFuture<Boolean> offer(Seen seen, HandOverNote offer, Peer leader) {
        List<Condition> conditions = List.of(new Condition.Stands(leader), pauses.absent(), unchanged(seen));
        return line.transact(conditions, List.of(Op.put(key, offer.encode())), List.of());
    }

    /** Writes if the record is as it was seen, and these stand; false if not. */
    CompletableFuture<Boolean> write(Seen seen, HandOverNote next, List<Peer> standing) {
        return write(seen, next, standing, List.of());
    }

    /** As {@link #write(Seen, HandOverNote, List)}, and removes these in the same transaction. */
    CompletableFuture<Boolean> write(Seen seen, HandOverNote next, List<Peer> standing, List<Peer> removed) {
        var conditions = new ArrayList<>(standing(standing));
        conditions.add(unchanged(seen));
        return line.transact(conditions, List.of(Op.put(key, next.encode())), removed);
    }

    /**
     * Sees to it that this hand-over is over: writes that it has failed, if it has come as far as one of these.
     *
     * @return how it stands then; empty if that cannot be found out, or others follow it already
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
        if (tries == 0) {
            settled.complete(Optional.empty());
            return;
        }
        Futures.onDone(read(), (seen, unread) -> {
            Optional<HandOverNote> note = unread == null
                    ? seen.note().filter(present -> present.number().equals(number))
                    : Optional.empty();
            if (note.isEmpty() || !only.contains(note.get().kind())) {
                settled.complete(note);
                return;
            }
            HandOverNote failed = note.get().failed(why);
            Futures.onDone(write(seen, failed, List.of()), (written, unknown) -> {
                if (unknown == null && written) {
                    settled.complete(Optional.of(failed));
                } else {
                    abort(number, only, why, tries - 1, settled);
                }
            });
        });
    }
}
