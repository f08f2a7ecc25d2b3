package io.baton.etcd;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.etcd.RequestWindow.Priority;
import io.baton.etcd.RequestWindow.Sender;
import io.baton.etcd.wire.Errors;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import io.baton.spi.support.PendingRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Applies conditions, operations and removals of entries as one transaction, guarded by the session's epoch. If the
 * epoch refused it, it is sent again.
 *
 * <p>An unanswered transaction is settled by raising the epoch, after which it cannot be applied any more. If then one
 * of its records is unchanged since the sending, or one of the entries still stands, it was not applied. It is sent
 * again. Otherwise all have changed since, and their values do not show by which client. The caller gets
 * {@link OutcomeUnknownException}.
 *
 * <p>The answer has the records that were put, as they are now; empty if nothing was applied.
 */
final class Transaction {

    private final EtcdContext context;
    private final PendingRequest<Optional<List<Item>>> ask;
    private final List<Compare> conditions = new ArrayList<>();
    private final Map<String, Request> changes = new LinkedHashMap<>();
    private final Map<RecordKey, byte[]> put = new LinkedHashMap<>();
    private final Set<Compare.Created> removed = new LinkedHashSet<>();
    private boolean foreign;
    private int refusals;

    Transaction(
            EtcdContext context,
            List<Condition> conditions,
            List<Op> ops,
            List<Peer> removed,
            PendingRequest<Optional<List<Item>>> ask) {
        this.context = context;
        this.ask = ask;
        conditions.forEach(this::add);
        ops.forEach(this::add);
        removed.forEach(peer -> this.removed.add(entry(peer)));
    }

    void start() {
        if (foreign) {
            ask.fail(new CoordinationException("a guard compares with a revision of another store"));
        } else {
            attempt();
        }
    }

    private void add(Condition condition) {
        if (condition instanceof Condition.Stands stands) {
            conditions.add(entry(stands.peer()));
        } else if (condition instanceof Condition.Absent absent) {
            conditions.add(new Compare.Created(RecordKeys.of(absent.key(), context), 0));
        } else if (condition instanceof Condition.Unchanged unchanged
                && unchanged.revision() instanceof EtcdRevision revision) {
            conditions.add(new Compare.Written(RecordKeys.of(unchanged.key(), context), revision.written()));
        } else {
            foreign = true;
        }
    }

    /** Compares the creation revision, as a key rewritten by others is another entry. */
    private Compare.Created entry(Peer peer) {
        return new Compare.Created(context.key(peer.line()) + "/" + peer.name(), peer.order());
    }

    /** The server refuses to change a key twice in one transaction, so only the last change of each counts. */
    private void add(Op op) {
        String key = RecordKeys.of(op.key(), context);
        if (op instanceof Op.Put written) {
            changes.put(key, new Put(key, written.value(), 0));
            put.put(op.key(), written.value());
        } else {
            changes.put(key, new Delete(key));
            put.remove(op.key());
        }
    }

    /** All that a transaction writes has its revision. */
    private List<Item> written(long revision) {
        return put.entrySet().stream()
                .map(each -> new Item(each.getKey(), each.getValue(), new EtcdRevision(revision)))
                .toList();
    }

    private void attempt() {
        context.window()
                .request(this, Priority.HIGH, ask::isPending, this::send)
                .send();
    }

    private void send(Sender turn) {
        Compare.Written epoch = context.epoch();
        long known = Math.max(context.knownRevision(), epoch.revision());
        ask.writing();
        turn.txn(txn(epoch), (fault, result) -> answered(fault, result, epoch, known));
    }

    private Txn txn(Compare.Written epoch) {
        var ifs = new ArrayList<Compare>(conditions);
        ifs.addAll(removed);
        ifs.add(epoch);
        var then = new ArrayList<Request>(changes.values());
        removed.forEach(entry -> then.add(new Delete(entry.key())));
        return new Txn(ifs, then, List.of(Range.presence(epoch.key())));
    }

    private void answered(Fault fault, @Nullable Result result, Compare.Written epoch, long known) {
        if (result != null && result.met()) {
            context.removed(removed);
            ask.complete(Optional.of(written(result.header().revision())));
        } else if (result != null) {
            ask.notWritten();
            refused(result, epoch);
        } else if (fault.code() == Code.NO_SPACE) {
            // This is an answer, even to the request that used up the space: nothing is in flight any more.
            readBack(known, "etcd says " + fault.message(), () -> ask.fail(Errors.of(ask.what(), fault)));
        } else if (fault.code() == Code.LOST) {
            context.settle(() -> readBack(known, "there was no answer", this::attempt));
        } else {
            ask.notWritten();
            ask.fail(Errors.of(ask.what(), fault));
        }
    }

    /** The session's own key, read with the refusal, shows the cause. */
    private void refused(Result result, Compare.Written epoch) {
        long written = result.parts().get(0).first().map(EtcdWire.Kv::written).orElse(0L);
        if (written == epoch.revision()) {
            ask.complete(Optional.empty());
        } else if (written == 0) {
            ask.sessionLost(new SessionLostException("etcd has ended the session " + context.id()));
            context.refusedByEpoch();
        } else if (context.epoch().equals(epoch)) {
            context.refusedByEpoch();
            context.retryLater(refusals++, this::attempt);
        } else {
            attempt();
        }
    }

    /** The transaction cannot be applied any more. Reads whether it was; if not, runs {@code ifNot}. */
    private void readBack(long known, String why, Runnable ifNot) {
        context.window()
                .request(this, Priority.HIGH, ask::isPending, turn -> readBack(turn, known, why, ifNot))
                .send();
    }

    private void readBack(Sender turn, long known, String why, Runnable ifNot) {
        Range[] touched = Stream.concat(
                        changes.keySet().stream(), removed.stream().map(Compare.Created::key))
                .map(Range::presence)
                .toArray(Range[]::new);
        turn.txn(Txn.read(touched), (fault, result) -> {
            if (result != null && isUnchanged(result, known)) {
                ask.notWritten();
                ifNot.run();
            } else if (fault.code() == Code.LOST) {
                context.onReconnect(ask::isPending, () -> readBack(known, why, ifNot));
            } else {
                ask.fail(new OutcomeUnknownException(
                        ask.what() + ": " + why + "; it may have been applied, but will not be applied any more"));
            }
        });
    }

    /**
     * Returns whether the transaction was certainly not applied. A store set back below the known revision proves
     * nothing. A store without any change since proves it even for records that did not exist. An entry may have been
     * rewritten since with another lease, and is the same.
     */
    private boolean isUnchanged(Result result, long known) {
        long revision = result.header().revision();
        if (revision <= known) {
            return revision == known;
        }
        return result.parts().stream()
                .flatMap(part -> part.kvs().stream())
                .anyMatch(kv -> kv.written() <= known || removed.contains(new Compare.Created(kv.key(), kv.created())));
    }
}
