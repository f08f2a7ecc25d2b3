package io.baton.recipe;

import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A coordinator's records, across its sessions. Any thread, unless a method says otherwise. Futures complete on the
 * loop.
 */
public interface RecordAccess {

    /** Reads a record's present value; empty if there is no such record. */
    CompletableFuture<Optional<Item>> read(RecordKey key);

    /** Reads the present values of these records, in their order, each with a request of its own. On the loop. */
    CompletableFuture<List<Optional<Item>>> read(List<RecordKey> keys);

    /** Reads a consistent snapshot of all records of a tree. */
    CompletableFuture<List<Item>> readTree(String tree);

    /** Calls the listener on the loop with the present value of a record, and with each change of it. */
    Subscription observe(RecordKey key, Consumer<Optional<Item>> listener);

    /** Follows a tree of records until the subscription is closed. */
    Subscription follow(String tree, TreeFollower follower);

    /** {@link Coordinator#transact} without waiting. */
    CompletableFuture<Boolean> write(List<Guard> guards, List<Op> ops);

    /**
     * As {@link #write(List, List)}; also says what was written, so that a next write can be guarded without a read
     * before it.
     *
     * @return the records that were put, as {@link #read(RecordKey)} would return them right after this write, as far as
     *     the store says so; empty if a guard does not hold
     */
    CompletableFuture<Optional<List<Item>>> writeAndTell(List<Guard> guards, List<Op> ops);

    /**
     * As {@link #write}, on condition that the entries of these members stand, and removes some. It changes nothing if
     * one that has to stand, or is to be removed, has gone. Removal is not sent to a member that has gone meanwhile and
     * joined again: that is another entry.
     *
     * @param what the writes and removals, for people, as {@code the verdict of barrier 'load'}
     * @param guards none of a hold
     * @param standing members whose entries have to stand, and stay
     * @param ops may be empty if a member is removed
     * @param removed members whose entries have to stand, and go
     */
    CompletableFuture<Boolean> write(
            String what, List<Guard> guards, List<LineMember> standing, List<Op> ops, List<LineMember> removed);

    /**
     * As {@link io.baton.spi.Session#transact(List, List, List)}.
     *
     * @param what the writes and removals, for people
     */
    CompletableFuture<Boolean> transact(String what, List<Condition> conditions, List<Op> ops, List<Peer> removed);
}
