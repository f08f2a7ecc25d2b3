package io.baton.internal.client;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.internal.lock.Transactions;
import io.baton.internal.session.BoundedCalls;
import io.baton.internal.session.Requests;
import io.baton.internal.session.SessionRegistry;
import io.baton.internal.tree.RecordCaches;
import io.baton.internal.tree.TreeSnapshotRead;
import io.baton.internal.tree.TreeSubscription;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LineMember;
import io.baton.recipe.RecordAccess;
import io.baton.recipe.TreeFollower;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The records of one client. Any thread, unless it says otherwise. */
final class ClientRecords implements RecordAccess {

    private static final int AT_ONCE = 32;

    private final ClientLoop loop;
    private final Requests requests;
    private final Transactions transactions;
    private final RecordCaches caches;
    private final SessionRegistry<TreeSubscription> trees;
    private final Duration timeout;

    ClientRecords(
            ClientLoop loop,
            Requests requests,
            Transactions transactions,
            RecordCaches caches,
            SessionRegistry<TreeSubscription> trees,
            Duration timeout) {
        this.loop = loop;
        this.requests = requests;
        this.transactions = transactions;
        this.caches = caches;
        this.trees = trees;
        this.timeout = timeout;
    }

    @Override
    public CompletableFuture<Optional<Item>> read(RecordKey key) {
        return requests.send("a read of " + key, session -> session.get(key));
    }

    @Override
    public CompletableFuture<List<Optional<Item>>> read(List<RecordKey> keys) {
        return BoundedCalls.all(keys, AT_ONCE, this::read);
    }

    @Override
    public CompletableFuture<List<Item>> readTree(String tree) {
        return TreeSnapshotRead.of(tree, trees, loop, timeout);
    }

    @Override
    public Subscription observe(RecordKey key, Consumer<Optional<Item>> listener) {
        return caches.add(key, listener);
    }

    @Override
    public Subscription follow(String tree, TreeFollower follower) {
        return trees.add(new TreeSubscription(tree, follower));
    }

    @Override
    public CompletableFuture<Boolean> write(List<Guard> guards, List<Op> ops) {
        return transactions.apply(guards, ops);
    }

    @Override
    public CompletableFuture<Optional<List<Item>>> writeAndTell(List<Guard> guards, List<Op> ops) {
        return transactions.applyAndTell(guards, ops);
    }

    @Override
    public CompletableFuture<Boolean> write(
            String what, List<Guard> guards, List<LineMember> standing, List<Op> ops, List<LineMember> removed) {
        return transactions.apply(what, guards, peers(standing), ops, peers(removed));
    }

    private static List<Peer> peers(List<LineMember> members) {
        return members.stream().map(member -> member.entry().peer()).toList();
    }

    @Override
    public CompletableFuture<Boolean> transact(
            String what, List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        List<Op> copies = Transactions.copies(ops);
        return requests.sendWrite(what, (session, within) -> session.transact(conditions, copies, removed, within));
    }
}
