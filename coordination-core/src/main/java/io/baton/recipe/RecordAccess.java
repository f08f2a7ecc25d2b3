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

/** A coordinator's records, across its sessions. Any thread, unless a method says otherwise; what is asked completes on the loop. */
public interface RecordAccess {

    /** A record's present value. */
    CompletableFuture<Optional<Item>> read(RecordKey key);

    /** The present values of these records, in their order, each at a moment of its own. On the loop. */
    CompletableFuture<List<Optional<Item>>> read(List<RecordKey> keys);

    /** All records of a tree, as they were together. */
    CompletableFuture<List<Item>> readTree(String tree);

    /** Calls the listener on the loop with the present value of a record, and with each change of it. */
    Subscription observe(RecordKey key, Consumer<Optional<Item>> listener);

    /** Follows a tree of records until the subscription is closed. */
    Subscription follow(String tree, TreeFollower follower);

    /** {@link Coordinator#transact} without waiting. */
    CompletableFuture<Boolean> write(List<Guard> guards, List<Op> ops);

    /**
     * As {@link io.baton.spi.Session#transact(List, List, List)}.
     *
     * @param what for people, what is written or removed
     */
    CompletableFuture<Boolean> transact(String what, List<Condition> conditions, List<Op> ops, List<Peer> removed);
}
