package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.Guard;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.internal.session.Requests;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.spi.Condition;
import io.baton.spi.Guarantees;
import io.baton.spi.Peer;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Checks transactions and sends them. Any thread. */
public final class Transactions {

    /** Sends a transaction in a session. */
    private interface Sending<R> {
        CompletionStage<R> send(Session session, List<Condition> conditions, List<Op> ops, Duration within);
    }

    private final ClientLoop loop;
    private final Requests requests;
    private final Guarantees limits;

    public Transactions(ClientLoop loop, Requests requests, Guarantees limits) {
        this.loop = loop;
        this.requests = requests;
        this.limits = limits;
    }

    /**
     * Sends a transaction. The future completes on the loop: true if committed, false if a guard does not hold.
     *
     * @throws IllegalArgumentException if the transaction is invalid, whatever the store holds
     */
    public CompletableFuture<Boolean> apply(List<Guard> guards, List<Op> ops) {
        return apply(
                guards,
                ops,
                (session, conditions, checked, within) -> session.transact(conditions, checked, List.of(), within),
                false);
    }

    /** As {@link #apply(List, List)}, and says what was written, as {@link Session#transactAndTell} does. */
    public CompletableFuture<Optional<List<Item>>> applyAndTell(List<Guard> guards, List<Op> ops) {
        return apply(guards, ops, Session::transactAndTell, Optional.empty());
    }

    private <R> CompletableFuture<R> apply(List<Guard> guards, List<Op> ops, Sending<R> sending, R refused) {
        List<Op> checked = check(guards, ops);
        List<FencedHold> holds =
                guards.stream().flatMap(guard -> hold(guard).stream()).toList();
        List<Condition> conditions = guards.stream().map(this::condition).toList();
        String what = "a write of " + checked.get(0).key() + (checked.size() > 1 ? " and more" : "");
        CompletableFuture<R> answer = new CompletableFuture<>();
        Futures.onDone(answer, (applied, failure) -> {
            boolean mayApply = failure != null && mayApply(Futures.cause(failure));
            holds.forEach(hold -> hold.guardedWrites().end(mayApply));
        });
        holds.forEach(hold -> hold.guardedWrites().begin());
        try {
            if (guards.stream().anyMatch(Transactions::isReleased)) {
                answer.complete(refused);
            } else {
                Futures.passOn(
                        requests.sendWrite(
                                what, (session, within) -> sending.send(session, conditions, checked, within)),
                        answer);
            }
        } catch (Throwable broken) {
            answer.completeExceptionally(broken); // a write that never ends would keep the place of its hold for good
            throw broken;
        }
        return answer;
    }

    /** Whether a write that has failed so may be applied later. The store's refusal says that it is not. */
    private static boolean mayApply(Throwable failure) {
        return failure instanceof OutcomeUnknownException
                || failure instanceof SessionLostException
                || !(failure instanceof CoordinationException);
    }

    /**
     * Sends a transaction that rests on entries and removes some. The future completes on the loop, as that of {@link
     * #apply(List, List)}; false also means that one of the entries has gone.
     *
     * @param what for people, what is written and removed
     * @throws IllegalArgumentException if the transaction is invalid, whatever the store holds
     */
    public CompletableFuture<Boolean> apply(
            String what, List<Guard> guards, List<Peer> standing, List<Op> ops, List<Peer> removed) {
        checkSize(guards.size() + standing.size() + ops.size() + removed.size());
        List<Op> checked = checkEach(ops);
        List<Condition> conditions = Stream.concat(
                        guards.stream().map(Transactions::onRecord),
                        standing.stream().map(Condition.Stands::new))
                .toList();
        return requests.sendWrite(what, (session, within) -> session.transact(conditions, checked, removed, within));
    }

    /** Returns the hold that guards, if one does. */
    private Optional<FencedHold> hold(Guard guard) {
        if (!(guard instanceof Guard.Held held)) {
            return Optional.empty();
        }
        return Optional.of(FencedHold.of(held.hold())
                .filter(own -> own.runsOn(loop))
                .orElseThrow(() -> new IllegalArgumentException(held.hold() + " was not granted by this coordinator")));
    }

    /** Returns a guard's condition. The store decides on a hold believed lost. */
    private Condition condition(Guard guard) {
        return hold(guard)
                .<Condition>map(hold -> new Condition.Stands(hold.peer()))
                .orElseGet(() -> onRecord(guard));
    }

    /** Whether the guard can no longer hold. */
    private static boolean isReleased(Guard guard) {
        return guard instanceof Guard.Held held && held.hold().state() == HoldState.RELEASED;
    }

    private static Condition onRecord(Guard guard) {
        if (guard instanceof Guard.Unchanged unchanged) {
            return new Condition.Unchanged(unchanged.key(), unchanged.revision());
        }
        if (guard instanceof Guard.Absent absent) {
            return new Condition.Absent(absent.key());
        }
        throw new IllegalArgumentException(guard + " is no condition on a record");
    }

    private List<Op> check(List<Guard> guards, List<Op> ops) {
        if (ops.isEmpty()) {
            throw new IllegalArgumentException("a transaction needs at least one operation");
        }
        checkSize(guards.size() + ops.size());
        return checkEach(ops);
    }

    private void checkSize(int size) {
        if (size > limits.maxOps()) {
            throw new IllegalArgumentException("a transaction may have " + limits.maxOps()
                    + " guards and operations on this store; this one has " + size);
        }
    }

    private List<Op> checkEach(List<Op> ops) {
        Set<RecordKey> keys = new HashSet<>();
        for (Op op : ops) {
            if (!keys.add(op.key())) {
                throw new IllegalArgumentException("a transaction may change a record once only: " + op.key());
            }
            if (op instanceof Op.Put put && put.value().length > limits.maxBytes()) {
                throw new IllegalArgumentException("a value may have " + limits.maxBytes() + " bytes on this store;"
                        + " the one for " + op.key() + " has " + put.value().length);
            }
        }
        return copies(ops);
    }

    /** Returns the operations with copies of their values, which are sent later, and perhaps again. */
    public static List<Op> copies(List<Op> ops) {
        return ops.stream().map(Transactions::copy).toList();
    }

    private static Op copy(Op op) {
        return op instanceof Op.Put put ? new Op.Put(put.key(), put.value().clone()) : op;
    }
}
